import type { CampaignStatus } from "../domain/campaign/events.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Position } from "./ports/event-store.ts";

/** Who asks, for which owner, and the id by which the resulting events are found in the log. */
export type Caller = {
  readonly owner: OwnerId;
  /** Id of the API key (or `process:<name>`): the `actor` of every resulting event. */
  readonly actor: string;
  /** X-Request-Id of the request. */
  readonly correlationId: string;
};

/**
 * The codes of docs/api.md; api/errors.ts gives each its HTTP status (and shape B to the three of
 * the outbound start).
 */
export type RefusalCode =
  | "VALIDATION_ERROR"
  | "PHONE_NUMBER_NOT_FOUND"
  | "ASSISTANT_NOT_FOUND"
  | "ASSISTANT_NOT_PUBLISHED"
  | "SQUAD_NOT_FOUND"
  | "SQUAD_MEMBER_NOT_FOUND"
  | "SQUAD_MEMBER_EXISTS"
  | "SQUAD_LIMIT_REACHED"
  | "HANDOFF_NOT_FOUND"
  | "HANDOFF_EXISTS"
  | "RECIPIENT_SUPPRESSED"
  | "INSUFFICIENT_CREDITS"
  | "CONCURRENCY_LIMIT_REACHED"
  | "CONNECTION_REQUIRED"
  | "CARRIER_UNAVAILABLE"
  | "ASSISTANT_UNAVAILABLE"
  | "ELIGIBILITY_UNAVAILABLE"
  | "CALL_NOT_FOUND"
  | "CONTENT_ERASED"
  | "CALL_NOT_ENDED"
  | "NOTHING_TO_ANALYSE"
  | "NOTHING_TO_REHEARSE"
  | "OUTCOME_NOT_CONFIGURED"
  | "ANALYSIS_LIMIT_REACHED"
  | "CAMPAIGN_NOT_FOUND"
  | "CAMPAIGN_INVALID_STATE"
  | "CONTACT_NOT_FOUND"
  | "POLICY_CHANGED"
  | "POLICY_REFUSED"
  | "SUPPRESSION_LIST_NOT_FOUND"
  | "LIST_BUSY"
  | "LIST_SHRINKS"
  | "CONFLICT";

export type ProblemDetail = {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** With POLICY_REFUSED: when the rule allows it again; null: not known, or never. */
  readonly until?: Instant | null;
};

export type Refusal = {
  readonly code: RefusalCode;
  readonly message: string;
  /**
   * With VALIDATION_ERROR, naming the path of a reference in the body; with POLICY_REFUSED one for each rule
   * that refuses, its name as the path; with RECIPIENT_SUPPRESSED the list, its id as the path, unless it is
   * the do-not-call list; else empty.
   */
  readonly details: readonly ProblemDetail[];
  /** The campaign's status, with CAMPAIGN_INVALID_STATE. */
  readonly currentStatus?: CampaignStatus;
};

/**
 * The answer of a use case. `position`: the last event that the answer depends on, for X-Event-Position. A
 * refusal comes before this request has appended anything, so an Idempotency-Key may be freed after it.
 * Unexpected failures (the log unreachable: `EventStoreError`) are thrown; then the outcome is unknown, and
 * the key keeps its id.
 */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value; readonly position: Position }
  | { readonly ok: false; readonly refusal: Refusal };

export function refused(
  code: RefusalCode,
  message: string,
  details: readonly ProblemDetail[] = [],
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { code, message, details } };
}
