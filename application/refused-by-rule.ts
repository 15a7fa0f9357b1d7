import type { CampaignStatus } from "../domain/campaign/events.ts";
import type { DomainErrorCode } from "../domain/shared/error-codes.ts";
import type { DomainError } from "../domain/shared/errors.ts";
import { type ProblemDetail, type Refusal, type RefusalCode, refused } from "./outcome.ts";

/** null: no request can cause it, so it is a bug of ours and thrown on. */
const CODES: Readonly<Record<DomainErrorCode, RefusalCode | null>> = {
  "call.not-found": "CALL_NOT_FOUND",
  "call.not-answered": null,
  "call.over": null,
  "call.session-over": null,
  "call.message-not-found": null,
  "call.not-ended": "CALL_NOT_ENDED",
  "call.content-erased": "CONTENT_ERASED",
  "call.analysis-limit": "ANALYSIS_LIMIT_REACHED",
  "campaign.not-found": "CAMPAIGN_NOT_FOUND",
  "campaign.contact-not-found": "CONTACT_NOT_FOUND",
  "campaign.invalid-state": "CAMPAIGN_INVALID_STATE",
  "campaign.insufficient-credits": "INSUFFICIENT_CREDITS",
  "campaign.too-many-contacts": "VALIDATION_ERROR",
  "campaign.import-incomplete": null,
  "campaign.retry-plan": "VALIDATION_ERROR",
  "squad.not-found": "SQUAD_NOT_FOUND",
  "squad.member-not-found": "SQUAD_MEMBER_NOT_FOUND",
  "squad.member-exists": "SQUAD_MEMBER_EXISTS",
  "squad.limit-reached": "SQUAD_LIMIT_REACHED",
  "squad.handoff-not-found": "HANDOFF_NOT_FOUND",
  "squad.handoff-exists": "HANDOFF_EXISTS",
  "squad.handoff-to-itself": "VALIDATION_ERROR",
  "squad.handoff-end-unknown": "VALIDATION_ERROR",
  "policy.changed": "POLICY_CHANGED",
};

const STATUSES: readonly CampaignStatus[] = ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED"];

/** Maps a refusal by a domain rule to the words of docs/api.md. */
export function refusedByRule(error: DomainError): { readonly ok: false; readonly refusal: Refusal } {
  const code = CODES[error.code];
  if (code === null) throw error;
  const { message } = error;
  if (code === "VALIDATION_ERROR") return refused(code, message, problemsOf(error));
  const { refusal } = refused(code, message);
  const currentStatus = STATUSES.find((status) => status === error.details["status"]);
  return { ok: false, refusal: currentStatus === undefined ? refusal : { ...refusal, currentStatus } };
}

function problemsOf(error: DomainError): readonly ProblemDetail[] {
  const { message, details } = error;
  if (error.code !== "campaign.retry-plan") return [{ path: [bodyPathOf(error)], message }];
  const { problems } = details;
  if (!areDetails(problems)) throw error;
  return problems.map((each) => ({ ...each, path: ["retryPlan", ...each.path] }));
}

function areDetails(value: unknown): value is readonly ProblemDetail[] {
  return Array.isArray(value) && value.length > 0;
}

/** The field of the body that the refused value comes from. */
function bodyPathOf({ code, details }: DomainError): string {
  if (code === "campaign.too-many-contacts") return "contacts";
  return details["end"] === "from" ? "from" : "to";
}
