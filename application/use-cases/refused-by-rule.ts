import type { CampaignStatus } from "../../domain/campaign/events.ts";
import type { DomainError } from "../../domain/shared/errors.ts";
import { type Refusal, type RefusalCode, refused } from "./outcome.ts";

const CODES: Readonly<Record<string, RefusalCode>> = {
  "call.not-found": "CALL_NOT_FOUND",
  "campaign.not-found": "CAMPAIGN_NOT_FOUND",
  "campaign.contact-not-found": "CONTACT_NOT_FOUND",
  "campaign.invalid-state": "CAMPAIGN_INVALID_STATE",
  "campaign.insufficient-credits": "INSUFFICIENT_CREDITS",
  "squad.not-found": "SQUAD_NOT_FOUND",
  "squad.member-not-found": "SQUAD_MEMBER_NOT_FOUND",
  "squad.member-exists": "SQUAD_MEMBER_EXISTS",
  "squad.limit-reached": "SQUAD_LIMIT_REACHED",
  "squad.handoff-not-found": "HANDOFF_NOT_FOUND",
  "squad.handoff-exists": "HANDOFF_EXISTS",
};

/** Body paths of rules that are about a value in the body. */
const PATHS: Readonly<Record<string, string>> = {
  "campaign.too-many-contacts": "contacts",
  "squad.handoff-to-itself": "to",
};

const STATUSES: readonly CampaignStatus[] = ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED"];

/** A domain rule's refusal in the words of interface.md. A rule without a code of its own there is not for users: it is thrown on. */
export function refusedByRule(error: DomainError): { readonly ok: false; readonly refusal: Refusal } {
  const code = CODES[error.code];
  if (code === undefined) return refusedValue(error);
  const currentStatus = STATUSES.find((status) => status === error.details["status"]);
  const refusal: Refusal = { code, message: error.message, details: [] };
  return { ok: false, refusal: currentStatus === undefined ? refusal : { ...refusal, currentStatus } };
}

function refusedValue(error: DomainError) {
  const { end } = error.details;
  const path = error.code === "squad.handoff-end-unknown" ? end : PATHS[error.code];
  if (typeof path !== "string") throw error;
  return refused("VALIDATION_ERROR", error.message, [{ path: [path], message: error.message }]);
}
