import type { CallId, ContactId } from "../../shared/ids.ts";
import type { PhoneNumber } from "../../shared/phone-number.ts";
import type { ContactStatus } from "../events.ts";
import { type ConsentMillis, type Consents, withConsents } from "./consents.ts";
import {
  type ContactGroups,
  type CountedGroup,
  countedGroups,
  createContactGroups,
  groupOfPerson,
} from "./contact-groups.ts";
import type { EligibilityHolds } from "./eligibility-holds.ts";
import { joinInTurn, type NumberTurns } from "./number-turns.ts";
import { findRow, noRows, type RowsById, withRows } from "./rows-by-id.ts";

/**
 * The contacts of a campaign: one column for each fact, one row for each contact in the order of import. It
 * is compact because 100 campaigns of 10,000 contacts must fit into a process. Names and custom data stay in
 * the log, at `chunkRevision`. Read and change rows with `contact-row`.
 */
export type ContactTable = NumberTurns & {
  readonly ids: ContactId[];
  readonly status: ContactStatus[];
  /** Number of dials so far. */
  attempts: Uint32Array;
  /** Attempts that the carrier never had. */
  notPlaced: Uint32Array;
  /** Failed attempts by end reason, as `contact-row` packs them. */
  failures: Uint32Array;
  chunkRevision: Uint32Array;
  /** Rows of skipped contacts: they are not called again, also not after their live call. */
  readonly noRetry: Set<number>;
  /** Rows with an attempt that failed because of the assistant. */
  readonly assistantFailed: Set<number>;
  /** Of rows that agreed one. */
  readonly callbacks: Map<number, ContactCallbacks>;
  /** Of rows that the address that is asked before each dial has held. */
  readonly eligibility: Map<number, EligibilityHolds>;
  /** null: nobody gave one. */
  consents: Consents | null;
  /** What `group` of a row means. */
  readonly groups: ContactGroups;
  rows: RowsById;
};

/** Callbacks that a contact agreed so far, and the call and the time of the last one. */
export type ContactCallbacks = {
  readonly count: number;
  readonly callId: CallId;
  readonly dueMillis: number;
};

export type NewContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  readonly consent: ConsentMillis | null;
  readonly chunkRevision: number;
};

export function createContactTable(): ContactTable {
  return {
    ids: [],
    numbers: new Float64Array(),
    group: new Uint16Array(),
    status: [],
    attempts: new Uint32Array(),
    notPlaced: new Uint32Array(),
    failures: new Uint32Array(),
    dueMillis: new Float64Array(),
    chunkRevision: new Uint32Array(),
    noRetry: new Set(),
    assistantFailed: new Set(),
    callbacks: new Map(),
    consents: null,
    holders: new Map(),
    eligibility: new Map(),
    groups: createContactGroups(),
    place: new Uint32Array(),
    callbackRows: new Set(),
    held: new Map(),
    holds: new Map(),
    queues: [],
    turns: new Map(),
    byNumber: new Uint32Array(),
    toCall: [],
    rows: noRows(),
  };
}

/** New contacts are pending. */
export function addContacts(table: ContactTable, contacts: readonly NewContact[]): void {
  const first = table.ids.length;
  makeRoom(table, first + contacts.length);
  contacts.forEach((contact, offset) => {
    const row = first + offset;
    table.ids.push(contact.contactId);
    table.status.push("pending");
    table.numbers[row] = Number(contact.phoneNumber);
    table.group[row] = groupOfPerson(table.groups, contact.phoneNumber, contact.timezone);
    table.chunkRevision[row] = contact.chunkRevision;
    joinInTurn(table, row);
  });
  table.consents = withConsents(table.consents, first, contacts);
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
  const group = new Uint16Array(length);
  group.set(table.group);
  table.group = group;
  table.numbers = float(table.numbers);
  table.dueMillis = float(table.dueMillis);
  table.attempts = count(table.attempts);
  table.notPlaced = count(table.notPlaced);
  table.failures = count(table.failures);
  table.place = count(table.place);
  table.chunkRevision = count(table.chunkRevision);
}

/** Groups with contacts that are still to be called. */
export function groupsStillToCall({ toCall }: ContactTable): readonly number[] {
  return [...toCall.keys()].filter((group) => (toCall[group] ?? 0) > 0);
}

/** All contacts, in any status. */
export function contactsByGroup({ groups, group }: ContactTable): readonly CountedGroup[] {
  return countedGroups(groups, group);
}

/** Revisions of the events with names and custom data. */
export function chunkRevisions({ chunkRevision }: ContactTable): ReadonlySet<number> {
  return new Set(chunkRevision);
}
