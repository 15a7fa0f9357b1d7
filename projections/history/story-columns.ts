import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { type Position, START } from "../../application/ports/event-store.ts";
import type { CampaignStory } from "../../application/ports/queries/history-records.ts";
import type { CampaignEvent, ContactSkipped } from "../../domain/campaign/events.ts";
import { isCampaignEvent } from "../../domain/event-kinds.ts";
import type { ContactId, ImportId, OwnerId } from "../../domain/shared/ids.ts";
import { instantFromMillis, millisOf } from "../../domain/shared/instant.ts";

/** The columns while they grow. Owned by whoever adds to them. */
export type StoryColumns = {
  /** null: not created yet; then nobody is told of it. */
  owner: OwnerId | null;
  position: Position;
  /** Of the last event that was added; -1: none. */
  revision: number;
  startsAt: number;
  lastAt: number;
  contacts: number;
  readonly places: Map<ContactId, number>;
  readonly unsealed: Map<ImportId, ContactId[]>;
  readonly kinds: Names;
  readonly reasons: Names;
  readonly at: number[];
  readonly kind: number[];
  readonly contact: number[];
  readonly reason: number[];
  readonly value: (number | null)[];
};

type Names = { readonly texts: string[]; readonly places: Map<string, number> };

const noNames = (): Names => ({ texts: [], places: new Map() });

export function noColumns(): StoryColumns {
  return {
    owner: null,
    position: START,
    revision: -1,
    startsAt: 0,
    lastAt: 0,
    contacts: 0,
    places: new Map(),
    unsealed: new Map(),
    kinds: noNames(),
    reasons: noNames(),
    at: [],
    kind: [],
    contact: [],
    reason: [],
    value: [],
  };
}

/** The next event of the campaign's stream. */
export function addToStory(columns: StoryColumns, { event, position, revision }: RecordedEvent): void {
  columns.position = position;
  columns.revision = revision;
  if (!isCampaignEvent(event)) return;
  placeContacts(columns, event);
  if (event.type === "CampaignCreated") columns.owner = event.data.owner;
  const at = millisOf(event.data.at);
  if (columns.at.length === 0) columns.startsAt = columns.lastAt = at;
  columns.at.push(at - columns.lastAt);
  columns.lastAt = at;
  columns.kind.push(placeOf(columns.kinds, event.type));
  columns.contact.push("contactId" in event.data ? (columns.places.get(event.data.contactId) ?? -1) : -1);
  columns.reason.push(placeOf(columns.reasons, reasonOf(event)));
  columns.value.push(rowValue(event, at));
}

/** Contacts have their places from the seal of their import on. */
function placeContacts(columns: StoryColumns, event: CampaignEvent): void {
  const { unsealed, places } = columns;
  if (event.type === "ContactsImported") {
    const open = unsealed.get(event.data.importId) ?? [];
    unsealed.set(event.data.importId, open);
    for (const { contactId } of event.data.contacts) open.push(contactId);
  } else if (event.type === "CampaignCreated" || event.type === "ContactsAdded") {
    for (const contactId of unsealed.get(event.data.importId) ?? []) {
      places.set(contactId, columns.contacts);
      columns.contacts += 1;
    }
    unsealed.delete(event.data.importId);
  } else if (event.type === "ImportAbandoned") unsealed.delete(event.data.importId);
}

function placeOf({ texts, places }: Names, text: string | null): number {
  if (text === null) return -1;
  const known = places.get(text);
  if (known !== undefined) return known;
  const place = texts.push(text) - 1;
  places.set(text, place);
  return place;
}

function reasonOf(event: CampaignEvent): string | null {
  switch (event.type) {
    case "CampaignPaused":
      return event.data.reason;
    case "ContactSucceeded":
    case "ContactAttemptFailed":
      return event.data.endReason;
    case "ContactSkipped":
      return event.data.outcome;
    default:
      return null;
  }
}

function rowValue(event: CampaignEvent, at: number): number | null {
  switch (event.type) {
    case "ContactsImported":
      return event.data.contacts.length;
    case "CampaignCreated":
      return event.data.totalContacts;
    case "ContactsAdded":
      return event.data.added;
    case "ContactDialed":
    case "ContactSucceeded":
      return event.data.attempt;
    case "ContactAttemptFailed":
      return event.data.retryAt === null ? null : millisOf(event.data.retryAt) - at;
    case "ContactSkipped":
      return unknownAttempt(event.data);
    default:
      return null;
  }
}

/** A call that the restored log does not know was an attempt: its number is not known either, that it was one is. One in a call ends with that call. */
function unknownAttempt({ unknownCall }: ContactSkipped["data"]): number | null {
  return unknownCall === undefined || unknownCall.contactWas === "dialing" ? null : 1;
}

/** null: there is nothing to tell, or it is another owner's. The columns are those that grow: to be written out before the next event is added. */
export function storyOf(columns: StoryColumns, owner: OwnerId): CampaignStory | null {
  if (columns.owner !== owner) return null;
  const { position, startsAt, contacts, kinds, reasons, at, kind, contact, reason, value } = columns;
  return {
    position,
    startsAt: instantFromMillis(startsAt),
    contacts,
    kinds: kinds.texts,
    reasons: reasons.texts,
    columns: { at, kind, contact, reason, value },
  };
}
