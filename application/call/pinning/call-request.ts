import type { CallRequested } from "../../../domain/call/events.ts";

type Request = CallRequested["data"];

/** The pinned part of a call that does not depend on whom it calls and when; made before admission. */
export type PinnedCall = Pick<
  Request,
  | "from"
  | "phoneNumberId"
  | "connectionId"
  | "assistant"
  | "squad"
  | "greetingMessage"
  | "specialInstructions"
  | "metadata"
  | "voicemailPolicy"
  | "voicemailMessage"
  | "ringTimeoutSeconds"
  | "maxDurationSeconds"
  | "pinned"
>;

/** The turn of a call, as granted by admission. */
type Turn = Pick<
  Request,
  | "callId"
  | "owner"
  | "to"
  | "dialAt"
  | "dialBy"
  | "pricePerMinute"
  | "at"
  | "evidence"
  | "timezone"
  | "consent"
>;

/** The attempt and the contact of a campaign's call; null for a single call. */
type Attempt = Pick<
  Request,
  "campaignId" | "contactId" | "contactName" | "customData" | "attempt" | "callback" | "callbackOf"
>;

export const NO_CAMPAIGN: Attempt = {
  campaignId: null,
  contactId: null,
  contactName: null,
  customData: null,
  attempt: 1,
};

/** The only place that makes CallRequested from its parts. */
export function callRequest(call: PinnedCall, turn: Turn, attempt: Attempt): Request {
  return { ...call, ...turn, ...attempt };
}
