import { type Instant, parseInstant, plusMillis } from "../shared/instant.ts";
import { storableText } from "../shared/storable-text.ts";

/** What an owner's address says about a person who would be dialled. */
export type EligibilityAnswer =
  | { readonly kind: "allowed" }
  /** `until`: when it may be asked again; null: never. */
  | { readonly kind: "refused"; readonly reason: string | null; readonly until: Instant | null }
  /** Nothing that counts, so the person is not called. `why`: a word, without anything of the answer. */
  | { readonly kind: "unavailable"; readonly why: string };

/** No dial begins later after its question. */
export const ANSWER_COUNTS_MILLIS = 60_000;
const LONGEST_REASON = 255;
const LONGEST_REFUSAL_MILLIS = 30 * 86_400_000;

/**
 * Reads the body of a 200: `{"allowed": true}`, or `{"allowed": false}` with `reason` (at most 255
 * characters) and `until` (ISO 8601 with an offset, at most 30 days ahead; one that is over means now). Both
 * may be null. Anything else is no answer.
 */
export function readEligibilityAnswer(text: string, now: Instant): EligibilityAnswer {
  const answer = jsonObject(text);
  if (answer === null) return unavailable("not_json");
  const { allowed, reason = null, until = null, ...others } = answer;
  if (Object.keys(others).length > 0) return unavailable("unknown_field");
  if (allowed === true && reason === null && until === null) return { kind: "allowed" };
  if (allowed !== false) return unavailable("no_answer");
  if (!isReason(reason)) return unavailable("bad_reason");
  const end = typeof until === "string" ? parseInstant(until) : null;
  if (until !== null && (end === null || end > plusMillis(now, LONGEST_REFUSAL_MILLIS)))
    return unavailable("bad_until");
  return { kind: "refused", reason: reason === null ? null : storableText(reason), until: end };
}

export function unavailable(why: string): EligibilityAnswer {
  return { kind: "unavailable", why };
}

function isReason(reason: unknown): reason is string | null {
  return reason === null || (typeof reason === "string" && [...reason].length <= LONGEST_REASON);
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
