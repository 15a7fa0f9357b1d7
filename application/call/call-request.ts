import type { CallRequested } from "../../domain/call/events.ts";

type Request = CallRequested["data"];

/** What a call is made with and says, whoever it rings and whenever: pinned before it is admitted. */
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

/** Whose turn it is: as admission granted it. */
type Turn = Pick<Request, "callId" | "owner" | "to" | "dialAt" | "dialBy" | "pricePerMinute" | "at">;

/** Which attempt of which contact it is. */
type Attempt = Pick<Request, "campaignId" | "contactId" | "contactName" | "customData" | "attempt">;

export const NO_CAMPAIGN: Attempt = {
  campaignId: null,
  contactId: null,
  contactName: null,
  customData: null,
  attempt: 1,
};

/** The one place that makes the event of a call from its parts. */
export function callRequest(call: PinnedCall, turn: Turn, attempt: Attempt): Request {
  return { ...call, ...turn, ...attempt };
}
