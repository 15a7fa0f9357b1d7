import type { Instant } from "../shared/instant.ts";
import type { CarrierIdentity } from "./carrier-identity.ts";
import { isLive } from "./deadlines.ts";
import type { EndReason } from "./end-reason.ts";
import { requestedReason } from "./end-wish.ts";
import { failed } from "./ending.ts";
import type { CallError, CallEvent } from "./events.ts";
import { momentOf } from "./moment.ts";
import type { ExistingCall } from "./state.ts";

export const dialRules = {
  BeginDialing: beginDialing,
  RecordRejected: recordRejected,
  RecordNeverDialled: recordNeverDialled,
  RecordUnknownOutcome: recordUnknownOutcome,
};

type Beginning = {
  readonly now: Instant;
  readonly suppressed: boolean;
  /** null: no carrier instance. */
  readonly carrier: CarrierIdentity | null;
  /** Why there are no valid texts: the message of failed/invalid_text. */
  readonly invalidText?: string;
  /** Rules of the owner's policy that refuse it now; absent: none does. */
  readonly policyRefuses?: string;
};

/**
 * Not dialled: from dialBy on (the call window may close then), a suppressed number, whom the owner's policy
 * refuses, a call without valid texts, a call whose end was requested before, or a call without a known
 * carrier instance.
 */
function beginDialing(
  { now, suppressed, carrier, invalidText, policyRefuses }: Beginning,
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
  if (policyRefuses !== undefined) {
    const message = `The owner's policy does not allow it now: ${policyRefuses}`;
    return [failed(state, at, "not_placed", "system", { code: "not_placed", message, carrierCode: null })];
  }
  if (carrier === null) return [failed(state, at, "not_placed", "system", NO_FAR_SIDE)];
  return [{ type: "CallDialingBegan", data: { callId: state.callId, at, carrier } }];
}

const NO_FAR_SIDE = {
  code: "not_placed",
  message: "The carrier could not be reached before the dial",
  carrierCode: null,
};

type Rejection = {
  readonly endReason: EndReason;
  readonly error: CallError | null;
  readonly now: Instant;
};

/** Ignored when the carrier has reported events of this call before: then it did not reject it. */
function recordRejected({ endReason, error, now }: Rejection, state: ExistingCall): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null) return [];
  return [failed(state, momentOf(state, now), endReason, "system", error)];
}

/**
 * It is proved that nobody was rung and nobody will be. Treated as rejected: the carrier never had the call.
 * The contact is called again, and this attempt does not count.
 */
function recordNeverDialled(
  { proof, now }: { readonly proof: string; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state) || state.dialBeganAt === null || state.connectedAt !== null) return [];
  const error = { code: "not_placed", message: proof, carrierCode: null };
  const endReason = state.endRequested === null ? "not_placed" : requestedReason(state, false);
  return [failed(state, momentOf(state, now), endReason, "system", error)];
}

function recordUnknownOutcome(
  { cause, now }: { readonly cause: string; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null || state.outcomeUnknownAt !== null)
    return [];
  return [
    { type: "CallDialOutcomeUnknown", data: { callId: state.callId, at: momentOf(state, now), cause } },
  ];
}
