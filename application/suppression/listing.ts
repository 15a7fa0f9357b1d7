import type { SuppressionSource } from "../../contract/suppression.ts";
import type { NumberSuppressedBody } from "../../contract/webhook-body.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Ids } from "../ports/ids.ts";
import type { OutboxEntry } from "../ports/webhook-outbox.ts";

/** Reason of an entry that a call has put on the list. */
export const ASKED_ON_THE_CALL = "Asked on the call not to be called again";
/** Reason of an entry of a call whose words cannot be read: whether somebody asked is not known. */
export const CALL_NOT_READABLE = "What was said on the call cannot be read";

/**
 * The reason of an entry that a call takes over. One that somebody wrote stays: nobody else has it, while
 * that of the call follows from its source.
 */
export function reasonAfterTakeOver(before: string | null): string {
  return before === null || before === CALL_NOT_READABLE ? ASKED_ON_THE_CALL : before;
}

/** A number that is on the list since now, or whose entry a call has taken over. */
export type Listing = {
  readonly owner: OwnerId;
  readonly phoneNumber: PhoneNumber;
  readonly reason: string | null;
  readonly source: SuppressionSource;
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  readonly at: Instant;
  /** How often the number was listed or taken over, this time included. */
  readonly times: number;
};

/**
 * `number.suppressed` (docs/webhooks.md). A call asks once, so that its id makes the event's; other listings
 * differ by their time, and by their number where the clock stands.
 */
export function numberSuppressed(ids: Pick<Ids, "derivedUuid">, listing: Listing): OutboxEntry {
  const { owner, phoneNumber, reason, source, callId, campaignId, at, times } = listing;
  const kind = "number.suppressed";
  const eventId = ids.derivedUuid(`${owner}:${phoneNumber}:${kind}:${callId ?? `${at}:${times}`}`);
  const data: NumberSuppressedBody = {
    eventId,
    occurredAt: at,
    phoneNumber,
    reason,
    source,
    callId,
    campaignId,
  };
  const body = JSON.stringify({ event: kind, data });
  // Not about the call: the erasure of its words leaves the list as it is.
  const subject = { callId: null, campaignId: null, phoneNumber };
  return { eventId, owner, kind, ...subject, sequence: times, occurredAt: at, body };
}
