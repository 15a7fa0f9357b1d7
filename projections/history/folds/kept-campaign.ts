import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import { type Position, START } from "../../../application/ports/event-store.ts";
import { findRow, noRows, type RowsById, withRows } from "../../../domain/campaign/contacts/rows-by-id.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { isCampaignEvent } from "../../../domain/event-kinds.ts";
import type { CampaignId, ContactId, ImportId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { type CampaignRow, projectCampaign } from "../../campaigns/campaign-row.ts";
import { integers, withRoom } from "./columns.ts";
import {
  addAttempt,
  addWhole,
  attemptAt,
  attemptKindAt,
  bytesOfColumns,
  contactAt,
  type EventColumns,
  noEvents,
  rowsUntil,
} from "./event-columns.ts";

/** Adjacent contacts of one import event: their numbers in the campaign begin at `first`. */
export type Chunk = { readonly revision: number; readonly first: number; readonly count: number };

type Whole = { readonly event: CampaignEvent; readonly revision: number };

/**
 * A campaign's events in memory, so that its state at any moment can be computed without the log. Imported
 * fields of contacts are not kept. The code that adds to it owns it.
 */
export type KeptCampaign = {
  readonly id: CampaignId;
  /** Revision of the last event that was read; -1: none. */
  revision: number;
  /** Position of the last event that was read. */
  position: Position;
  readonly columns: EventColumns;
  /** By row. */
  readonly whole: Map<number, Whole>;
  readonly chunks: Map<ImportId, Chunk[]>;
  /** In the order of import; the index is the contact's number. */
  readonly contactIds: ContactId[];
  numbers: RowsById;
  /** By number of the contact, from 1: index of its last attempt; 0: none. */
  lastAttempts: Int32Array;
  /** The fold after so many rows, one every SPACING rows. */
  readonly snapshots: (CampaignRow | undefined)[];
  wholeBytes: number;
  /** Then there is nothing to show of any moment. */
  isDeleted: boolean;
};

const SPACING = 512;
const SNAPSHOT_BYTES = 1_500;
/** The text of an id and its place; all other facts of a contact are in columns. */
const CONTACT_BYTES = 60;

export function noCampaign(id: CampaignId): KeptCampaign {
  return {
    id,
    revision: -1,
    position: START,
    columns: noEvents(),
    whole: new Map(),
    chunks: new Map(),
    contactIds: [],
    numbers: noRows(),
    lastAttempts: integers(0),
    snapshots: [undefined],
    wholeBytes: 0,
    isDeleted: false,
  };
}

export function bytesOf(kept: KeptCampaign): number {
  return (
    bytesOfColumns(kept.columns) +
    kept.contactIds.length * CONTACT_BYTES +
    kept.numbers.byteLength +
    kept.lastAttempts.byteLength +
    kept.snapshots.length * SNAPSHOT_BYTES +
    kept.wholeBytes
  );
}

/** Adds the next event of the campaign's stream. */
export function keep(kept: KeptCampaign, { event, revision, position }: RecordedEvent): void {
  kept.revision = revision;
  kept.position = position;
  if (!isCampaignEvent(event)) return;
  switch (event.type) {
    case "ContactDialed":
    case "ContactSucceeded":
    case "ContactAttemptFailed": {
      const number = numberOf(kept, event.data.contactId);
      const last = (kept.lastAttempts[number] ?? 0) - 1;
      kept.lastAttempts = withRoom(kept.lastAttempts, number, integers);
      kept.lastAttempts[number] = addAttempt(kept.columns, event, revision, number, last) + 1;
      break;
    }
    case "ContactsImported":
      keepChunk(kept, event.data, revision);
      keepWhole(kept, { ...event, data: { ...event.data, contacts: [] } }, revision);
      break;
    default:
      keepWhole(kept, event, revision);
  }
  if (event.type === "CampaignDeleted") kept.isDeleted = true;
  if (kept.columns.length % SPACING === 0) kept.snapshots.push(rowAfter(kept, kept.columns.length));
}

function keepWhole(kept: KeptCampaign, event: CampaignEvent, revision: number): void {
  kept.whole.set(kept.columns.length, { event, revision });
  kept.wholeBytes += 300 + JSON.stringify(event).length;
  addWhole(kept.columns, millisOf(event.data.at), revision);
}

function keepChunk(
  kept: KeptCampaign,
  {
    importId,
    contacts,
  }: { readonly importId: ImportId; readonly contacts: readonly { readonly contactId: ContactId }[] },
  revision: number,
): void {
  const chunks = kept.chunks.get(importId) ?? [];
  kept.chunks.set(importId, chunks);
  const first = kept.contactIds.length;
  chunks.push({ revision, first, count: contacts.length });
  for (const { contactId } of contacts) kept.contactIds.push(contactId);
  kept.numbers = withRows(kept.numbers, kept.contactIds, first);
}

/** The contacts of an import event. */
export function chunkAt({ chunks }: KeptCampaign, importId: ImportId, revision: number): Chunk | undefined {
  return chunks.get(importId)?.find((chunk) => chunk.revision === revision);
}

/**
 * A contact that was never imported is still counted by its campaign, so it gets a number that no chunk has.
 */
function numberOf(kept: KeptCampaign, contactId: ContactId): number {
  const known = findRow(kept.numbers, kept.contactIds, contactId);
  if (known !== undefined) return known;
  const number = kept.contactIds.push(contactId) - 1;
  kept.numbers = withRows(kept.numbers, kept.contactIds, number);
  return number;
}

/** The event of a row, with the fields that folds need. */
export function eventAt(kept: KeptCampaign, row: number): Whole {
  const { columns } = kept;
  const type = attemptKindAt(columns, row);
  const whole = type === null ? kept.whole.get(row) : undefined;
  if (whole !== undefined) return whole;
  const contactId = kept.contactIds[contactAt(columns, row)] ?? "ctc_";
  const event = attemptAt(columns, row, type ?? "ContactDialed", kept.id, contactId);
  return { event, revision: columns.revision[row] ?? 0 };
}

/** The rows from `first` on that had happened by `at`, in log order. */
export function* rowsBy({ columns }: KeptCampaign, first: number, at: number): Generator<number> {
  for (let row = first; row < columns.length; row += 1) if ((columns.at[row] ?? 0) <= at) yield row;
}

/** The fold of everything that had happened by `at`, and the index of its last row; -1: none. */
export function rowAt(
  kept: KeptCampaign,
  at: number,
): { readonly row: CampaignRow | undefined; readonly last: number } {
  if (kept.isDeleted) return { row: undefined, last: -1 };
  const sure = rowsUntil(kept.columns, at);
  let row = rowAfter(kept, sure);
  let last = sure - 1;
  for (const later of rowsBy(kept, sure, at)) {
    row = projectCampaign(row, eventAt(kept, later));
    last = later;
  }
  return { row, last };
}

/** The fold of the first `count` rows, from the nearest snapshot. */
function rowAfter(kept: KeptCampaign, count: number): CampaignRow | undefined {
  const place = Math.min(Math.floor(count / SPACING), kept.snapshots.length - 1);
  let row = kept.snapshots[place];
  for (let next = place * SPACING; next < count; next += 1) row = projectCampaign(row, eventAt(kept, next));
  return row;
}
