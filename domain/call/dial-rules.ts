import type { CallCommand } from "./commands.ts";
import { isLive } from "./deadlines.ts";
import { failed } from "./ending.ts";
import type { CallEvent } from "./events.ts";
import { momentOf } from "./moment.ts";
import type { ExistingCall } from "./state.ts";

type Of<Type extends CallCommand["type"]> = Extract<CallCommand, { readonly type: Type }>;

/**
 * Nothing is dialled from dialBy on (it may be the moment at which the window closes), to a suppressed number, without the texts that were to be
 * said, or for a call that was to end before.
 */
export function beginDialing(
  { now, suppressed, invalidText }: Of<"BeginDialing">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state) || state.dialBeganAt !== null) return [];
  const at = momentOf(state, now);
  if (invalidText !== undefined) {
    const error = { code: "invalid_text", message: invalidText, carrierCode: null };
    return [failed(state, at, "invalid_text", "system", error)];
  }
  if (suppressed) return [failed(state, at, "suppressed", "system", null)];
  if (state.dialBy === null || at >= state.dialBy) return [failed(state, at, "not_placed", "system", null)];
  return [{ type: "CallDialingBegan", data: { callId: state.callId, at } }];
}

/** A carrier that told of the call before has not rejected it. */
export function recordRejected(
  { endReason, error, now }: Of<"RecordRejected">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null) return [];
  return [failed(state, momentOf(state, now), endReason, "system", error)];
}

export function recordUnknownOutcome(
  { cause, now }: Of<"RecordUnknownOutcome">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null || state.outcomeUnknownAt !== null)
    return [];
  return [
    { type: "CallDialOutcomeUnknown", data: { callId: state.callId, at: momentOf(state, now), cause } },
  ];
}
