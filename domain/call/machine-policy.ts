import { type Instant, millisOf } from "../shared/instant.ts";
import type { AnsweredBy, VoicemailPolicy } from "./events.ts";
import type { CallState } from "./state.ts";

/** From this turn of the customer on the voicemail policy is no longer applied. */
export const TURNS_OF_A_PERSON = 2;
/** A verdict that comes later after the answer changes nothing. */
const JUDGED_IN_MILLIS = 60_000;

/**
 * The policy that the conversation follows because of a verdict of the carrier; null: none. A policy that was
 * followed before still is.
 */
export function policyThatFollows(
  { answeredBy, occurredAt }: { readonly answeredBy: AnsweredBy; readonly occurredAt: Instant },
  { machineVerdict, endRequested, turns, voicemailPolicy, connectedAt }: CallState,
): VoicemailPolicy | null {
  if (answeredBy !== "machine") return null;
  const followed = machineVerdict?.policyApplied ?? null;
  if (followed !== null) return followed;
  const isLate = connectedAt !== null && millisOf(occurredAt) > millisOf(connectedAt) + JUDGED_IN_MILLIS;
  return endRequested !== null || turns >= TURNS_OF_A_PERSON || isLate ? null : voicemailPolicy;
}
