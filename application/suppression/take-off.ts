import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Calls } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import type { Caller } from "../outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Suppressions } from "../ports/configuration/suppressions.ts";
import type { HeardOptOut, OptOuts } from "../ports/opt-outs.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { answeredInTime } from "../within-limit.ts";

export type TakeOffDeps = {
  readonly calls: Pick<Calls, "handle">;
  readonly optOuts: Pick<OptOuts, "unrevoked">;
  readonly suppressions: Pick<Suppressions, "takeOff">;
  readonly clock: Clock;
  /** Throws while nothing may be appended. */
  readonly requireOpen: () => void;
};

/**
 * DELETE /suppressions/:phoneNumber. The calls that asked for the entry tell of it first, then the entry
 * goes: after a crash in between the number is on the list, and a repeat finishes. False: it was not listed.
 */
export function takeOff(deps: TakeOffDeps, caller: Caller, phoneNumber: PhoneNumber): Promise<boolean> {
  return answeredInTime(deps.clock, takeOffInSteps(deps, caller, phoneNumber));
}

async function takeOffInSteps(deps: TakeOffDeps, caller: Caller, phoneNumber: PhoneNumber): Promise<boolean> {
  const { owner, actor } = caller;
  for (;;) {
    const heard = await deps.optOuts.unrevoked(owner, phoneNumber);
    if (heard.length > 0) deps.requireOpen();
    for (const optOut of heard) await revoke(deps, caller, optOut);
    const callIds = heard.map(({ callId }) => callId);
    const ended = await deps.suppressions.takeOff(owner, phoneNumber, actor, callIds);
    if (ended !== "heard_again") return ended === "taken_off";
  }
}

/**
 * Both events in one append where the first is still to come: between them nobody may dial the number. A call
 * that can never be read tells nothing, and does not keep its number on the list for ever.
 */
async function revoke({ calls, clock }: TakeOffDeps, caller: Caller, optOut: HeardOptOut): Promise<void> {
  const { callId, by, messageIndex, saidAt } = optOut;
  const now = clock.now();
  const { owner, actor, correlationId } = caller;
  try {
    await calls.handle(
      callStream(callId),
      [
        { type: "RecordOptedOut", by, messageIndex, saidAt, now },
        { type: "RevokeOptOut", by: actor, now },
      ],
      { owner, actor, correlationId, causationId: null },
    );
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
  }
}
