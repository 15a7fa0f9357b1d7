import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallStatus } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { EventOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, refused } from "../outcome.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import type { EndWish } from "./call-ending.ts";

export type EndCallAnswer = {
  readonly callId: CallId;
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
  /** The call had ended before this request. */
  readonly alreadyEnded: boolean;
};

export type EndCallDeps = UseCaseDeps & {
  /** Requests the end of a call durably, and asks the carrier. */
  readonly hangUp: (callId: CallId, wish: EndWish, origin: EventOrigin) => Promise<void>;
};

/**
 * DELETE /calls/outbound/:callId: records that the call is to end, then asks the carrier; the watchdog asks
 * again until it ends. A call that is not dialled yet is canceled at once.
 */
export async function endCall(
  deps: EndCallDeps,
  caller: Caller,
  callId: CallId,
): Promise<Outcome<EndCallAnswer>> {
  const before = await lookAt(deps, caller, callId, true);
  if (before === null) return refused("CALL_NOT_FOUND", "Call not found");
  if (before.value.alreadyEnded) return before;
  await deps.hangUp(callId, { by: "api", reason: "api" }, { ...caller, causationId: null });
  const after = await lookAt(deps, caller, callId, false);
  if (after === null) return refused("CALL_NOT_FOUND", "Call not found");
  return { ...after, value: { ...after.value, alreadyEnded: false } };
}

async function lookAt(deps: EndCallDeps, caller: Caller, callId: CallId, fresh: boolean) {
  return deps.aggregates.calls.query(
    callStream(callId),
    ({ owner, status, endReason }, { position }) => {
      if (status === null || owner !== caller.owner) return null;
      const alreadyEnded = status === "completed" || status === "failed";
      return { ok: true as const, value: { callId, status, endReason, alreadyEnded }, position };
    },
    { fresh },
  );
}
