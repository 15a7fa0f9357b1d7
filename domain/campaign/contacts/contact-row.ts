import type { ContactId } from "../../shared/ids.ts";
import type { PhoneNumber } from "../../shared/phone-number.ts";
import type { ContactStatus } from "../events.ts";
import type { ContactTable } from "./contact-table.ts";
import { joinQueue, leaveQueue } from "./due-queues.ts";

/**
 * Reads and changes one row of the contact table. A row that does not exist has no id, number or status,
 * and 0 everywhere else.
 */

export function idOf({ ids }: ContactTable, row: number): ContactId | undefined {
  return ids[row];
}

export function numberOf({ numbers }: ContactTable, row: number): PhoneNumber | undefined {
  const digits = numbers[row];
  return digits === undefined ? undefined : `+${digits}`;
}

/** The number without its plus, for fast comparisons. */
export function digitsOf({ numbers }: ContactTable, row: number): number {
  return numbers[row] ?? 0;
}

/** Index into the zones of the table; 0 is the campaign's own. */
export function zoneOf({ zone }: ContactTable, row: number): number {
  return zone[row] ?? 0;
}

/** Revision of the event that has its name and custom data. */
export function chunkRevisionOf({ chunkRevision }: ContactTable, row: number): number {
  return chunkRevision[row] ?? 0;
}

export function statusOf({ status }: ContactTable, row: number): ContactStatus | undefined {
  return status[row];
}

export function attemptsOf({ attempts }: ContactTable, row: number): number {
  return attempts[row] ?? 0;
}

/** Attempts that the carrier never had. */
export function notPlacedOf({ notPlaced }: ContactTable, row: number): number {
  return notPlaced[row] ?? 0;
}

/** Valid only while the contact waits for a retry; 0 before its first call. */
export function dueMillisOf({ dueMillis }: ContactTable, row: number): number {
  return dueMillis[row] ?? 0;
}

export function isSkipped({ noRetry }: ContactTable, row: number): boolean {
  return noRetry.has(row);
}

export function hasAssistantFailed({ assistantFailed }: ContactTable, row: number): boolean {
  return assistantFailed.has(row);
}

/** Who is pending or waits for a retry stands in the queue of its zone, nobody else. */
export function changeStatus(table: ContactTable, row: number, after: ContactStatus): void {
  leaveQueue(table, row);
  table.status[row] = after;
  if (after === "pending" || after === "waiting_retry") joinQueue(table, row);
}

export function addAttempt(table: ContactTable, row: number): void {
  table.attempts[row] = attemptsOf(table, row) + 1;
}

export function addNotPlaced(table: ContactTable, row: number): void {
  table.notPlaced[row] = notPlacedOf(table, row) + 1;
}

export function addAssistantFailure({ assistantFailed }: ContactTable, row: number): void {
  assistantFailed.add(row);
}

/** Its change of status must follow at once: that gives it the place of this time in its queue. */
export function waitUntil({ dueMillis }: ContactTable, row: number, millis: number): void {
  dueMillis[row] = millis;
}

/** The contact is not called again, also not after its live call. */
export function skip({ noRetry }: ContactTable, row: number): void {
  noRetry.add(row);
}
