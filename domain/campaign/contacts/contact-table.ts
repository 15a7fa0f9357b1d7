import type { ContactId } from "../../shared/ids.ts";
import type { PhoneNumber } from "../../shared/phone-number.ts";
import type { ContactStatus } from "../events.ts";
import { findRow, noRows, type RowsById, withRows } from "./rows-by-id.ts";

/**
 * The contacts of a campaign: one column for each fact, one row for each contact in the order of import. It
 * is compact because 100 campaigns of 10,000 contacts must fit into a process. Names and custom data stay in
 * the log, at `chunkRevision`. Read and change rows with `contact-row`.
 */
export type ContactTable = {
  readonly ids: ContactId[];
  /** Numbers without the plus. */
  numbers: Float64Array;
  /** Index into `zones`; 0 is the campaign's own zone. */
  zone: Uint16Array;
  readonly status: ContactStatus[];
  /** Number of dials so far. */
  attempts: Uint32Array;
  /** Attempts that the carrier never had. */
  notPlaced: Uint32Array;
  /** When a waiting contact is due, in epoch milliseconds. */
  dueMillis: Float64Array;
  chunkRevision: Uint32Array;
  /** Rows of skipped contacts: they are not called again, also not after their live call. */
  readonly noRetry: Set<number>;
  /** Rows with an attempt that failed because of the assistant. */
  readonly assistantFailed: Set<number>;
  readonly zones: string[];
  /** Contacts of each zone that wait for their first call, and for a retry. */
  readonly pendingIn: number[];
  readonly waitingIn: number[];
  rows: RowsById;
};

export type NewContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  readonly chunkRevision: number;
};

export function createContactTable(): ContactTable {
  return {
    ids: [],
    numbers: new Float64Array(),
    zone: new Uint16Array(),
    status: [],
    attempts: new Uint32Array(),
    notPlaced: new Uint32Array(),
    dueMillis: new Float64Array(),
    chunkRevision: new Uint32Array(),
    noRetry: new Set(),
    assistantFailed: new Set(),
    zones: [""],
    pendingIn: [0],
    waitingIn: [0],
    rows: noRows(),
  };
}

/** New contacts are pending. */
export function addContacts(table: ContactTable, contacts: readonly NewContact[]): void {
  const first = table.ids.length;
  makeRoom(table, first + contacts.length);
  contacts.forEach((contact, offset) => {
    const row = first + offset;
    const zone = internedZone(table, contact.timezone);
    table.ids.push(contact.contactId);
    table.status.push("pending");
    table.numbers[row] = Number(contact.phoneNumber);
    table.zone[row] = zone;
    table.chunkRevision[row] = contact.chunkRevision;
    addTo(table.pendingIn, zone, 1);
  });
  table.rows = withRows(table.rows, table.ids, first);
}

export function contactCount({ ids }: ContactTable): number {
  return ids.length;
}

/** undefined: there is no such contact. */
export function rowOf({ rows, ids }: ContactTable, contactId: ContactId): number | undefined {
  return findRow(rows, ids, contactId);
}

/** Allocates exactly `length` rows: a whole import is added at once, so spare room would be wasted. */
function makeRoom(table: ContactTable, length: number): void {
  const float = (column: Float64Array) => {
    const longer = new Float64Array(length);
    longer.set(column);
    return longer;
  };
  const count = (column: Uint32Array) => {
    const longer = new Uint32Array(length);
    longer.set(column);
    return longer;
  };
  const zone = new Uint16Array(length);
  zone.set(table.zone);
  table.zone = zone;
  table.numbers = float(table.numbers);
  table.dueMillis = float(table.dueMillis);
  table.attempts = count(table.attempts);
  table.notPlaced = count(table.notPlaced);
  table.chunkRevision = count(table.chunkRevision);
}

function internedZone({ zones }: ContactTable, timezone: string | null): number {
  if (timezone === null) return 0;
  const known = zones.indexOf(timezone, 1);
  return known === -1 ? zones.push(timezone) - 1 : known;
}

/** null: the campaign's own zone. */
export function zoneText({ zones }: ContactTable, zone: number): string | null {
  return zone === 0 ? null : (zones[zone] ?? null);
}

export function neverCalledIn({ pendingIn }: ContactTable, zone: number): number {
  return pendingIn[zone] ?? 0;
}

/** Zones with contacts that are still to be called. */
export function zonesStillToCall({ zones, pendingIn, waitingIn }: ContactTable): readonly number[] {
  return [...zones.keys()].filter((zone) => (pendingIn[zone] ?? 0) + (waitingIn[zone] ?? 0) > 0);
}

/** Contacts in each zone, in any status; null: the campaign's own. */
export function contactsByZone(table: ContactTable): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const index of table.zone) {
    const zone = zoneText(table, index);
    counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return counts;
}

/** Revisions of the events with names and custom data. */
export function chunkRevisions({ chunkRevision }: ContactTable): ReadonlySet<number> {
  return new Set(chunkRevision);
}

/** Keeps the counts of contacts still to be called, by zone. */
export function recount(table: ContactTable, row: number, before: ContactStatus, after: ContactStatus): void {
  const zone = table.zone[row] ?? 0;
  addTo(table.pendingIn, zone, Number(after === "pending") - Number(before === "pending"));
  addTo(table.waitingIn, zone, Number(after === "waiting_retry") - Number(before === "waiting_retry"));
}

function addTo(counts: number[], zone: number, change: number): void {
  counts[zone] = (counts[zone] ?? 0) + change;
}
