import type { CampaignStory } from "../../../contract/campaign-story.ts";
import { findRow } from "../../../domain/campaign/contacts/rows-by-id.ts";
import type { CampaignEvent, ContactSkipped } from "../../../domain/campaign/events.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { type AttemptEvent, reasonAt } from "./attempt-columns.ts";
import { contactPlaces, type Places } from "./contact-places.ts";
import { attemptKindAt, contactAt } from "./event-columns.ts";
import { chunkAt, type KeptCampaign } from "./kept-campaign.ts";

/** One row of the story before its texts have indexes. */
type StoryRow = {
  readonly at: number;
  readonly kind: CampaignEvent["type"];
  readonly contact: number;
  readonly reason: string | null;
  readonly value: number | null;
  readonly isOptOut: boolean;
};

/** null: there is nothing to show (any more), or it belongs to another owner. */
export function storyOf(kept: KeptCampaign, owner: OwnerId): CampaignStory | null {
  if (kept.isDeleted || ownerOf(kept) !== owner) return null;
  const kinds = namesInOrder();
  const reasons = namesInOrder();
  const places = contactPlaces(kept);
  const columns = columnsOf(kept.columns.length);
  const optedOut: number[] = [];
  let startsAt = 0;
  let lastAt = 0;
  for (let row = 0; row < kept.columns.length; row += 1) {
    const storyRow = storyRowAt(kept, row, places);
    if (row === 0) startsAt = lastAt = storyRow.at;
    columns.at[row] = storyRow.at - lastAt;
    lastAt = storyRow.at;
    columns.kind[row] = kinds.placeOf(storyRow.kind);
    columns.contact[row] = storyRow.contact;
    columns.reason[row] = storyRow.reason === null ? -1 : reasons.placeOf(storyRow.reason);
    columns.value[row] = storyRow.value;
    if (storyRow.isOptOut) optedOut.push(row);
  }
  const { position } = kept;
  const contacts = places.count();
  return {
    position,
    startsAt: instantFromMillis(startsAt),
    contacts,
    kinds: kinds.texts,
    reasons: reasons.texts,
    columns,
    optedOut,
  };
}

function columnsOf(length: number) {
  const numbers = () => new Array<number>(length);
  return {
    at: numbers(),
    kind: numbers(),
    contact: numbers(),
    reason: numbers(),
    value: new Array<number | null>(length),
  };
}

/** null: not created yet. */
function ownerOf({ whole }: KeptCampaign): OwnerId | null {
  for (const { event } of whole.values()) if (event.type === "CampaignCreated") return event.data.owner;
  return null;
}

type Names = { readonly texts: string[]; readonly placeOf: (text: string) => number };

function namesInOrder(): Names {
  const texts: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (text: string): number => {
    const known = places.get(text);
    if (known !== undefined) return known;
    const place = texts.push(text) - 1;
    places.set(text, place);
    return place;
  };
  return { texts, placeOf };
}

function storyRowAt(kept: KeptCampaign, row: number, places: Places): StoryRow {
  const type = attemptKindAt(kept.columns, row);
  if (type !== null) return attemptRow(kept, row, type, places);
  const whole = kept.whole.get(row);
  if (whole === undefined) throw new Error(`row ${row} of ${kept.id} is not kept`);
  const { event, revision } = whole;
  places.hear(event, revision);
  const contact =
    "contactId" in event.data ? findRow(kept.numbers, kept.contactIds, event.data.contactId) : undefined;
  return {
    at: millisOf(event.data.at),
    kind: event.type,
    contact: places.of(contact),
    reason: wholeReasonOf(event),
    isOptOut: false,
    value:
      event.type === "ContactsImported"
        ? (chunkAt(kept, event.data.importId, revision)?.count ?? 0)
        : wholeValueOf(event),
  };
}

function attemptRow(
  { columns }: KeptCampaign,
  row: number,
  kind: AttemptEvent["type"],
  places: Places,
): StoryRow {
  const { attempts } = columns;
  const at = columns.at[row] ?? 0;
  const place = columns.attempt[row] ?? 0;
  const contact = places.of(contactAt(columns, row));
  const isDial = kind === "ContactDialed";
  const reason = isDial ? null : (reasonAt(attempts, place) ?? null);
  const isOptOut = !isDial && attempts.optedOut[place] === 1;
  const told = { at, kind, contact, reason, isOptOut };
  if (kind !== "ContactAttemptFailed") return { ...told, value: attempts.attempt[place] ?? null };
  const retryAt = attempts.retryAt[place] ?? Number.NaN;
  return { ...told, value: Number.isNaN(retryAt) ? null : retryAt - at };
}

/** The further story values of an event that is kept whole; attempts are in columns. */
function wholeReasonOf(event: CampaignEvent): string | null {
  switch (event.type) {
    case "CampaignPaused":
      return event.data.reason;
    case "ContactCallbackScheduled":
      return event.data.endReason;
    case "ContactSkipped":
      return event.data.outcome;
    default:
      return null;
  }
}

function wholeValueOf(event: CampaignEvent): number | null {
  switch (event.type) {
    case "CampaignCreated":
      return event.data.totalContacts;
    case "ContactsAdded":
      return event.data.added;
    case "ContactCallbackScheduled":
      return millisOf(event.data.callbackAt) - millisOf(event.data.at);
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
