import type { CampaignStatus } from "../domain/campaign/events.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import type { Position } from "./ports/event-store.ts";

/** Who asks, for whom, and under which name the answer will be found again in the log. */
export type Caller = {
  readonly owner: OwnerId;
  /** Id of the API key (or `process:<name>`): the `actor` of every event that follows. */
  readonly actor: string;
  /** The request's X-Request-Id. */
  readonly correlationId: string;
};

/** The codes of docs/api.md; api/errors.ts gives each its HTTP status (and shape B to the three of the outbound start). */
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
  | "CALL_NOT_FOUND"
  | "CAMPAIGN_NOT_FOUND"
  | "CAMPAIGN_INVALID_STATE"
  | "CONTACT_NOT_FOUND";

export type ProblemDetail = { readonly path: readonly (string | number)[]; readonly message: string };

export type Refusal = {
  readonly code: RefusalCode;
  readonly message: string;
  /** Given with VALIDATION_ERROR and, for a reference in the body, naming its path; else empty. */
  readonly details: readonly ProblemDetail[];
  /** The campaign's status, with CAMPAIGN_INVALID_STATE. */
  readonly currentStatus?: CampaignStatus;
};

/**
 * What a use case answers. `position`: the last event that the answer rests on, for X-Event-Position. A refusal is always given before
 * anything was appended by this very request, so an Idempotency-Key may be freed after it. Anything unexpected (the log unreachable:
 * `EventStoreError`) is thrown, and then nobody knows: the key keeps its id.
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
