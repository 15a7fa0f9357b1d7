import type { CampaignEvent, ContactSkipped } from "../../../domain/campaign/events.ts";

/** The further story values of an event that is kept whole; attempts are in columns. */
export function wholeReasonOf(event: CampaignEvent): string | null {
  switch (event.type) {
    case "CampaignPaused":
      return event.data.reason;
    case "ContactSkipped":
      return event.data.outcome;
    default:
      return null;
  }
}

export function wholeValueOf(event: CampaignEvent): number | null {
  switch (event.type) {
    case "CampaignCreated":
      return event.data.totalContacts;
    case "ContactsAdded":
      return event.data.added;
    case "ContactSkipped":
      return unknownAttempt(event.data);
    default:
      return null;
  }
}

/**
 * A call that the restored log does not know was an attempt with an unknown number. For a contact in a
 * call it ends that call.
 */
function unknownAttempt({ unknownCall }: ContactSkipped["data"]): number | null {
  return unknownCall === undefined || unknownCall.contactWas === "dialing" ? null : 1;
}
