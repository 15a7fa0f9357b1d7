import type { EndReason } from "../../call/end-reason.ts";
import type { ConsentTimes } from "../../policy/policy.ts";
import type { CallId, ContactId } from "../../shared/ids.ts";
import type { PhoneNumber } from "../../shared/phone-number.ts";
import type { ContactStatus } from "../events.ts";
import { PLANNED_END_REASONS } from "../retry-policy.ts";
import { consentAt, consentsThen } from "./consents.ts";
import type { ContactTable } from "./contact-table.ts";
import { ownQueue } from "./due-queues.ts";
import { endRefusal } from "./eligibility-holds.ts";
import { beginHold, endHold, type Hold, type HoldTerms } from "./holds.ts";
import { firstHolder, joinInTurn, leaveTurn, setHolders } from "./number-turns.ts";

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

/** Index into the groups of the table. */
export function groupOf({ group }: ContactTable, row: number): number {
  return group[row] ?? 0;
}

/** As it was given for the contact; null: none was. */
export function ownZoneOf(table: ContactTable, row: number): string | null {
  return table.groups.list[table.group[row] ?? -1]?.timezone ?? null;
}

/** As it was given for the contact, without its words; null: none was. */
export function consentOf({ consents }: ContactTable, row: number): ConsentTimes | null {
  return consentAt(consents, row);
}

/** Whether its consent counts at that time: of many rows in a short time. */
export function hasConsent({ consents }: ContactTable, row: number, millis: number): boolean {
  return consentsThen(consents, row, millis);
}

/** Revision of the event that has its name and custom data. */
export function chunkRevisionOf({ chunkRevision }: ContactTable, row: number): number {
  return chunkRevision[row] ?? 0;
}

export function statusOf({ status }: ContactTable, row: number): ContactStatus | undefined {
  return status[row];
}

/** Pending, or waiting for a retry. */
export function isToCall({ status }: ContactTable, row: number): boolean {
  return status[row] === "pending" || status[row] === "waiting_retry";
}

export function attemptsOf({ attempts }: ContactTable, row: number): number {
  return attempts[row] ?? 0;
}

/** Attempts that the carrier never had. */
export function notPlacedOf({ notPlaced }: ContactTable, row: number): number {
  return notPlaced[row] ?? 0;
}

/** Four bits for each end that a plan may name: a contact has at most 11 attempts that count. */
const COUNT_BITS = 4;
const MOST_COUNTED = 2 ** COUNT_BITS - 1;

/** How many attempts failed with one of these ends; others than a plan may name are not counted. */
export function failuresOf(
  { failures }: ContactTable,
  row: number,
  endReasons: readonly EndReason[],
): number {
  const packed = failures[row] ?? 0;
  return PLANNED_END_REASONS.reduce(
    (sum, endReason, place) => (endReasons.includes(endReason) ? sum + countAt(packed, place) : sum),
    0,
  );
}

function countAt(packed: number, place: number): number {
  return (packed >>> (place * COUNT_BITS)) & MOST_COUNTED;
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

/** How many callbacks it has agreed. */
export function callbacksOf({ callbacks }: ContactTable, row: number): number {
  return callbacks.get(row)?.count ?? 0;
}

export function waitsForCallback({ callbackRows }: ContactTable, row: number): boolean {
  return callbackRows.has(row);
}

/** The call in which its last callback was agreed; null: none was. */
export function callbackCallOf({ callbacks }: ContactTable, row: number): CallId | null {
  return callbacks.get(row)?.callId ?? null;
}

/** Another contact with its number waits for a callback, or has it now. */
export function isHeld(table: ContactTable, row: number): boolean {
  const first = firstHolder(table, row);
  return first !== undefined && first !== row;
}

/**
 * How the owner's policy holds the contact, over or not; undefined: nothing was said since its last status.
 */
export function holdOf({ held }: ContactTable, row: number): Hold | undefined {
  return held.get(row);
}

/** It keeps its status and its place, and goes before any hold that it had. */
export function hold(table: ContactTable, row: number, by: HoldTerms): void {
  leaveTurn(table, row);
  endHold(table, row);
  beginHold(table, row, ownQueue(table, row), by);
  joinInTurn(table, row);
}

/**
 * Who is pending or waits stands in a queue of its group, or aside while its number is held; nobody else. Who
 * agreed a callback holds its number until its last status. A hold of the policy ends with any status.
 */
export function changeStatus(table: ContactTable, row: number, after: ContactStatus): void {
  leaveTurn(table, row);
  endHold(table, row);
  endRefusal(table, row);
  if (after !== "waiting_retry") table.callbackRows.delete(row);
  if (table.callbacks.has(row)) {
    const isOver = after === "succeeded" || after === "failed" || after === "skipped";
    changeHolders(table, row, isOver ? [] : [row]);
  }
  table.status[row] = after;
  if (after === "pending" || after === "waiting_retry") joinInTurn(table, row);
}

export function addAttempt(table: ContactTable, row: number): void {
  table.attempts[row] = attemptsOf(table, row) + 1;
}

export function addNotPlaced(table: ContactTable, row: number): void {
  table.notPlaced[row] = notPlacedOf(table, row) + 1;
}

export function addFailure({ failures }: ContactTable, row: number, endReason: EndReason): void {
  const place = PLANNED_END_REASONS.indexOf(endReason);
  const packed = failures[row] ?? 0;
  if (place === -1 || countAt(packed, place) === MOST_COUNTED) return;
  failures[row] = packed + 2 ** (place * COUNT_BITS);
}

export function addAssistantFailure({ assistantFailed }: ContactTable, row: number): void {
  assistantFailed.add(row);
}

/** Its change of status must follow at once: that gives it the place of this time in its queue. */
export function waitUntil(table: ContactTable, row: number, millis: number): void {
  leaveTurn(table, row);
  endHold(table, row);
  table.callbackRows.delete(row);
  table.dueMillis[row] = millis;
}

/** As `waitUntil`, in the queue of callbacks. */
export function waitForCallback(table: ContactTable, row: number, callId: CallId, dueMillis: number): void {
  waitUntil(table, row, dueMillis);
  table.callbackRows.add(row);
  table.callbacks.set(row, { count: callbacksOf(table, row) + 1, callId, dueMillis });
}

/** `after`: the row or nothing, in place of what it held. The holders of a number stand by their due time. */
function changeHolders(table: ContactTable, row: number, after: readonly number[]): void {
  const { callbacks, holders } = table;
  const number = digitsOf(table, row);
  const due = (each: number) => callbacks.get(each)?.dueMillis ?? 0;
  const others = holders.get(number)?.filter((each) => each !== row) ?? [];
  const held = [...others, ...after].toSorted((a, b) => due(a) - due(b) || a - b);
  setHolders(table, number, held);
}

/** The contact is not called again, also not after its live call. */
export function skip({ noRetry }: ContactTable, row: number): void {
  noRetry.add(row);
}
