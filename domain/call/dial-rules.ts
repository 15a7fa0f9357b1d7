import type { Of } from "../shared/decider.ts";
import type { CallCommand } from "./commands.ts";
import { isLive } from "./deadlines.ts";
import { requestedReason } from "./end-wish.ts";
import { failed } from "./ending.ts";
import type { CallEvent } from "./events.ts";
import { momentOf } from "./moment.ts";
import type { ExistingCall } from "./state.ts";

/**
 * Not dialled: from dialBy on (the call window may close then), a suppressed number, a call without valid
 * texts, a call whose end was requested before, or a call without a known carrier instance.
 */
export function beginDialing(
  { now, suppressed, carrier, invalidText }: Of<CallCommand, "BeginDialing">,
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
  if (carrier === null) return [failed(state, at, "not_placed", "system", NO_FAR_SIDE)];
  return [{ type: "CallDialingBegan", data: { callId: state.callId, at, carrier } }];
}

const NO_FAR_SIDE = {
  code: "not_placed",
  message: "The carrier could not be reached before the dial",
  carrierCode: null,
};

/** Ignored when the carrier has reported events of this call before: then it did not reject it. */
export function recordRejected(
  { endReason, error, now }: Of<CallCommand, "RecordRejected">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null) return [];
  return [failed(state, momentOf(state, now), endReason, "system", error)];
}

/**
 * Treated as rejected: the carrier never had the call. The contact is called again, and this
 * attempt does not count.
 */
export function recordNeverDialled(
  { proof, now }: Of<CallCommand, "RecordNeverDialled">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state) || state.dialBeganAt === null || state.connectedAt !== null) return [];
  const error = { code: "not_placed", message: proof, carrierCode: null };
  const endReason = state.endRequested === null ? "not_placed" : requestedReason(state, false);
  return [failed(state, momentOf(state, now), endReason, "system", error)];
}

export function recordUnknownOutcome(
  { cause, now }: Of<CallCommand, "RecordUnknownOutcome">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null || state.outcomeUnknownAt !== null)
    return [];
  return [
    { type: "CallDialOutcomeUnknown", data: { callId: state.callId, at: momentOf(state, now), cause } },
  ];
}
