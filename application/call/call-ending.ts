import type { CallCommand } from "../../domain/call/decider.ts";
import type { Of } from "../../domain/shared/decider.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import type { Calls } from "../log/aggregates.ts";
import type { EventOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { Admission } from "../ports/admission.ts";
import type { Carrier, CarrierCall } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { isRefusedPayload } from "../refused-for-good.ts";
import { carrierOf, dialledCall } from "./carrier-call.ts";

/** Interval at which the carrier is asked again (docs/api.md §4, DELETE). */
const ASK_AGAIN_MILLIS = 5_000;

export type CallEndingDeps = {
  readonly calls: Calls;
  readonly admission: Pick<Admission, "setNextLooks">;
  /** The watchdog must look at this time at the latest. */
  readonly wakeWatchdogBy: (at: Instant) => void;
  readonly carriers: Pick<Carriers, "dialledOn">;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type EndWish = Pick<Of<CallCommand, "RequestEnd">, "by" | "reason">;

/**
 * Records that the call is to end, then asks the carrier without waiting for the answer; the watchdog asks
 * again until the call ends. Resolves when the request is durable. A call that has ended is not changed. If
 * the log refuses the request for good, the carrier is asked once all the same.
 */
export async function requestEnd(
  deps: CallEndingDeps,
  callId: CallId,
  wish: EndWish,
  origin: EventOrigin,
): Promise<void> {
  const now = deps.clock.now();
  try {
    const handled = await deps.calls.handle(
      callStream(callId),
      [{ type: "RequestEnd", ...wish, now }],
      origin,
    );
    if (handled.events.length > 0) await lookSoon(deps, callId, now);
  } catch (error) {
    if (!isRefusedPayload(error)) throw error;
    deps.logger.error(
      { callId, error },
      "the log takes no wish to end this call; the carrier is asked all the same",
    );
  }
  await hangUpLive(deps, callId);
}

/**
 * Nobody talks in this call any more (`command` checks that): requests the end and asks
 * the carrier to hang up.
 */
export async function endSilentCall(
  deps: CallEndingDeps,
  callId: CallId,
  command: Of<CallCommand, "ExpireDeadline">,
  origin: EventOrigin,
): Promise<void> {
  const { events } = await deps.calls.handle(callStream(callId), [command], origin);
  if (events.length === 0) return;
  await lookSoon(deps, callId, command.now);
  await hangUpLive(deps, callId);
}

async function hangUpLive(deps: CallEndingDeps, callId: CallId): Promise<void> {
  const live = await deps.calls.query(callStream(callId), (state) =>
    state.dialBeganAt !== null && state.endedAt === null ? dialledCall(callId, state) : null,
  );
  if (live !== null) void askToHangUp(deps, await carrierOf(deps.carriers, live), live.call);
}

/** After a crash before this, the next look stays at the deadline that the call has in any case. */
async function lookSoon(deps: CallEndingDeps, callId: CallId, now: Instant): Promise<void> {
  const at = plusMillis(now, ASK_AGAIN_MILLIS);
  await deps.admission.setNextLooks([{ callId, at }]);
  deps.wakeWatchdogBy(at);
}

/**
 * Asks once; nobody when the connection is not configured any more (`carrier` null). The answer comes
 * by the carrier's own events. When this returns, the request was handed to the adapter, so it
 * precedes what is done next.
 */
export async function askToHangUp(
  deps: Pick<CallEndingDeps, "logger">,
  carrier: Pick<Carrier, "hangUp"> | null,
  call: CarrierCall,
): Promise<void> {
  const { callId } = call;
  try {
    const result = carrier === null ? "unknown" : await carrier.hangUp(call);
    if (result === "unknown") deps.logger.warn({ callId }, "hang-up not confirmed");
  } catch (error) {
    deps.logger.error({ callId, error }, "hang-up failed");
  }
}
