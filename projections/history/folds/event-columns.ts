import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import {
  type AttemptColumns,
  type AttemptEvent,
  attemptEvent,
  bytesOfAttempts,
  noAttempts,
  placeAttempt,
} from "./attempt-columns.ts";
import { bytes, floats, integers, withRoom } from "./columns.ts";

/** Kind of a row; `WHOLE`: the event itself is kept elsewhere. */
export const WHOLE = 0;
const KINDS = ["ContactDialed", "ContactSucceeded", "ContactAttemptFailed"] as const;

/** Events of a campaign in columns that grow at their end. The code that adds to them owns them. */
export type EventColumns = {
  length: number;
  /** Milliseconds since 1970. */
  at: Float64Array;
  revision: Int32Array;
  kind: Uint8Array;
  /** Index of its attempt. */
  attempt: Int32Array;
  readonly attempts: AttemptColumns;
  /** The latest `at` up to the end of each block of rows. */
  readonly latest: number[];
};

const BLOCK = 64;

export function noEvents(): EventColumns {
  return {
    length: 0,
    at: floats(0),
    revision: integers(0),
    kind: bytes(0),
    attempt: integers(0),
    attempts: noAttempts(),
    latest: [],
  };
}

/** Adds a row for a whole event: when it happened, and its revision. */
export function addWhole(columns: EventColumns, at: number, revision: number): void {
  addRow(columns, at, revision, WHOLE);
}

/**
 * `contact`: its number in the campaign; `last`: index of the contact's last attempt, -1: none. Returns the
 * index for this event.
 */
export function addAttempt(
  columns: EventColumns,
  event: AttemptEvent,
  revision: number,
  contact: number,
  last: number,
): number {
  const row = addRow(columns, millisOf(event.data.at), revision, KINDS.indexOf(event.type) + 1);
  const place = placeAttempt(columns.attempts, event, contact, last);
  columns.attempt[row] = place;
  return place;
}

function addRow(columns: EventColumns, at: number, revision: number, kind: number): number {
  const row = columns.length;
  columns.length += 1;
  columns.at = withRoom(columns.at, row, floats);
  columns.revision = withRoom(columns.revision, row, integers);
  columns.kind = withRoom(columns.kind, row, bytes);
  columns.attempt = withRoom(columns.attempt, row, integers);
  columns.at[row] = at;
  columns.revision[row] = revision;
  columns.kind[row] = kind;
  const block = Math.floor(row / BLOCK);
  const before = columns.latest[block] ?? columns.latest[block - 1] ?? Number.NEGATIVE_INFINITY;
  columns.latest[block] = Math.max(at, before);
  return row;
}

const ROW_BYTES = 8 + 4 + 1 + 4;

export function bytesOfColumns({ at, attempts, latest }: EventColumns): number {
  return at.length * ROW_BYTES + latest.length * 8 + bytesOfAttempts(attempts);
}

/** How many rows from the first on had happened by `at`. */
export function rowsUntil({ at: times, latest, length }: EventColumns, at: number): number {
  let [low, high] = [0, latest.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((latest[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  let row = Math.min(low * BLOCK, length);
  while (row < length && (times[row] ?? 0) <= at) row += 1;
  return row;
}

/** Kind of a row; null: a whole event. */
export function attemptKindAt({ kind }: EventColumns, row: number): AttemptEvent["type"] | null {
  return KINDS[(kind[row] ?? WHOLE) - 1] ?? null;
}

/** Number of the contact of a row's attempt. */
export function contactAt({ attempt, attempts }: EventColumns, row: number): number {
  return attempts.contact[attempt[row] ?? 0] ?? -1;
}

/** The event of a row, with the fields that folds need. */
export function attemptAt(
  { at, attempt, attempts }: EventColumns,
  row: number,
  type: AttemptEvent["type"],
  campaignId: CampaignId,
  contactId: ContactId,
): CampaignEvent {
  const moment = { campaignId, contactId, at: instantFromMillis(at[row] ?? 0) };
  return attemptEvent(attempts, attempt[row] ?? 0, type, moment);
}
