import type { Slot } from "../../../domain/admission/requests.ts";
import { isOut } from "../../../domain/call/deadlines.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import type { Calls } from "../../log/aggregates.ts";
import { callStream } from "../../log/stream-names.ts";
import type { Admission } from "../../ports/admission.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";

/** Every open slot is due within this time. */
const ALL_MILLIS = 24 * 60 * 60_000;
const MOST_CALLS = 2_000;
/** More look-ups at once would keep a carrier from accepting dials. */
const ASKED_AT_ONCE = 20;

export type LookAtStartDeps = {
  readonly admission: Pick<Admission, "dueLooks">;
  readonly calls: Calls;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
};

/**
 * Asks the carrier once about every call that was in progress when this process started: the process that
 * cared for it may be gone, and its next deadline far away. Before that deadline only a certain answer
 * changes anything. Never rejects: a failure is left to the call's next look.
 */
export async function lookAtStart(
  { admission, calls, clock, logger }: LookAtStartDeps,
  ask: (slot: Slot) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const askIfOut = async (slot: Slot) => {
    if (await calls.query(callStream(slot.callId), isOut, { fresh: true })) await ask(slot);
  };
  const guarded = (slot: Slot) =>
    askIfOut(slot).catch((error: unknown) => notAsked(logger, slot.callId, error));
  try {
    const slots = await admission.dueLooks(plusMillis(clock.now(), ALL_MILLIS), MOST_CALLS);
    for (let at = 0; at < slots.length && !stop.aborted; at += ASKED_AT_ONCE)
      await Promise.all(slots.slice(at, at + ASKED_AT_ONCE).map(guarded));
  } catch (error) {
    notAsked(logger, null, error);
  }
}

function notAsked(logger: Logger, callId: CallId | null, error: unknown): void {
  logger.warn({ callId, error }, "the carrier was not asked at the start; the call is looked at in its time");
}
