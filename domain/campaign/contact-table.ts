import type { ContactId } from "../shared/ids.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { ContactStatus } from "./events.ts";

/**
 * The contacts of a campaign, a column per fact and a row per contact in the order of import: 100 campaigns of 10,000 contacts have to fit in a
 * process. Names and custom data stay in the log; `chunkRevision` and `chunkOffset` say where.
 */
export type ContactTable = {
  readonly ids: ContactId[];
  readonly numbers: PhoneNumber[];
  /** Index into `zones`; 0 is the campaign's own zone. */
  readonly zone: number[];
  readonly status: ContactStatus[];
  /** Number of dials so far. */
  readonly attempts: number[];
  /** Of those, the ones that the carrier never had. */
  readonly notPlaced: number[];
  /** When a waiting contact is due, epoch milliseconds. */
  readonly dueMillis: number[];
  readonly chunkRevision: number[];
  readonly chunkOffset: number[];
  /** Rows that somebody skipped: nobody calls them again, also not after their live call. */
  readonly noRetry: Set<number>;
  readonly zones: string[];
  /** How many contacts of each zone wait for their first call, and how many for another one. */
  readonly pendingIn: number[];
  readonly waitingIn: number[];
  readonly rows: Map<ContactId, number>;
};

export type NewContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  readonly chunkRevision: number;
  readonly chunkOffset: number;
};

export function createContactTable(): ContactTable {
  return {
    ids: [],
    numbers: [],
    zone: [],
    status: [],
    attempts: [],
    notPlaced: [],
    dueMillis: [],
    chunkRevision: [],
    chunkOffset: [],
    noRetry: new Set(),
    zones: [""],
    pendingIn: [0],
    waitingIn: [0],
    rows: new Map(),
  };
}

/** A new contact is pending. */
export function addContact(table: ContactTable, contact: NewContact): void {
  table.rows.set(contact.contactId, table.ids.length);
  table.ids.push(contact.contactId);
  table.numbers.push(contact.phoneNumber);
  const zone = internedZone(table, contact.timezone);
  table.zone.push(zone);
  addTo(table.pendingIn, zone, 1);
  table.status.push("pending");
  table.attempts.push(0);
  table.notPlaced.push(0);
  table.dueMillis.push(0);
  table.chunkRevision.push(contact.chunkRevision);
  table.chunkOffset.push(contact.chunkOffset);
}

function internedZone({ zones }: ContactTable, timezone: string | null): number {
  if (timezone === null) return 0;
  const known = zones.indexOf(timezone, 1);
  return known === -1 ? zones.push(timezone) - 1 : known;
}

/** A row that takes another status leaves and joins the contacts of its zone that are still to be called. */
export function recount(table: ContactTable, row: number, before: ContactStatus, after: ContactStatus): void {
  const zone = table.zone[row] ?? 0;
  addTo(table.pendingIn, zone, Number(after === "pending") - Number(before === "pending"));
  addTo(table.waitingIn, zone, Number(after === "waiting_retry") - Number(before === "waiting_retry"));
}

function addTo(counts: number[], zone: number, change: number): void {
  counts[zone] = (counts[zone] ?? 0) + change;
}
