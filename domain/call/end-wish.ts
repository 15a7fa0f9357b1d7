import type { EndReason } from "./end-reason.ts";
import type { CallEndRequested, EndedBy } from "./events.ts";
import type { CallState } from "./state.ts";

type StoredReason = CallEndRequested["data"]["reason"];

/** The end reason of an answered call for each reason to request its end. */
const WISHED_ENDS: Readonly<Record<StoredReason, EndReason>> = {
  api: "api_ended",
  campaign_cancelled: "api_ended",
  max_duration: "max_duration",
  assistant_ended: "assistant_ended",
  silence_timeout: "silence_timeout",
  assistant_error: "assistant_error",
  voicemail: "voicemail",
  voicemail_message_left: "voicemail_message_left",
  transferred: "transferred",
};

/** Who ended the call, where that does not depend on the request. */
const ALWAYS_BY: Partial<Readonly<Record<StoredReason, EndedBy>>> = {
  assistant_error: "system",
  voicemail: "assistant",
  voicemail_message_left: "assistant",
};

/** The end reason after a requested end; a call that was not answered is canceled. */
export function requestedReason({ endRequested }: CallState, answered: boolean): EndReason {
  if (!answered) return "canceled";
  return endRequested === null ? "api_ended" : WISHED_ENDS[endRequested.reason];
}

export function requestedBy({ endRequested }: CallState): EndedBy | null {
  return endRequested === null ? null : (ALWAYS_BY[endRequested.reason] ?? endRequested.by);
}
