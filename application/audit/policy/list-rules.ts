import type { ContactSkipped } from "../../../domain/campaign/events.ts";
import type { PolicyEvidence } from "../../../domain/policy/policy.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import {
  atMillis,
  LONGEST_WRITING_MILLIS,
  type Placed,
  type PolicyAudit,
  type PolicyDial,
} from "./policy-book.ts";

const DAY_MILLIS = 24 * 3_600_000;
/** By so much the clocks of those who change a list and those who read it may differ. */
const CLOCKS_DIFFER_MILLIS = 5_000;
/** From the reading of a list to the event that follows from it. */
const READ_BEFORE_MILLIS = LONGEST_WRITING_MILLIS;

type Book = PolicyAudit["book"];
type Standing = { readonly isRegistry: boolean; readonly counts: boolean; readonly asOf: number | null };
type Check = PolicyEvidence["checks"][number];

/**
 * The day of the oldest active registry list, as it may have been read between these moments; null: there was
 * none, or one without numbers. An event tells the time of its change, and may follow it in the log.
 */
function oldestBetween({ lists }: Book, from: number, until: number): ReadonlySet<number | null> {
  const ordered = lists.toSorted((a, b) => atMillis(a) - atMillis(b));
  const standing = new Map<string, Standing>();
  let found: (number | null)[] = [null];
  for (const each of ordered) {
    if (atMillis(each) > until) break;
    note(standing, each);
    const registries = [...standing.values()].filter(({ isRegistry, counts }) => isRegistry && counts);
    const days = registries.map(({ asOf }) => asOf);
    const known = days.filter((asOf) => asOf !== null);
    const oldest = known.length === 0 || known.length < days.length ? null : Math.min(...known);
    found = atMillis(each) < from ? [oldest] : [...found, oldest];
  }
  return new Set(found);
}

function note(standing: Map<string, Standing>, { event }: Book["lists"][number]): void {
  const { listId, kind } = event.data;
  const { counts = true, asOf = null } = standing.get(listId) ?? {};
  const isRegistry = kind === "registry";
  if (event.type === "SuppressionListReplaced")
    standing.set(listId, { isRegistry, counts, asOf: millisOf(event.data.asOf) });
  else standing.set(listId, { isRegistry, counts: event.data.active && !event.data.deleted, asOf });
}

function around(book: Book, millis: number): ReadonlySet<number | null> {
  return oldestBetween(book, millis - CLOCKS_DIFFER_MILLIS, millis + CLOCKS_DIFFER_MILLIS);
}

/** Whether the registry lists were there and young enough, as they may have been read at that moment. */
export function areListsYoung(book: Book, days: number, millis: number): boolean {
  return [...around(book, millis)].some((asOf) => asOf !== null && millis < asOf + days * DAY_MILLIS);
}

/** Whether they may have been too old, or missing, shortly before that moment. */
export function mayListsBeOld(book: Book, days: number, millis: number): boolean {
  const read = oldestBetween(book, millis - READ_BEFORE_MILLIS, millis + CLOCKS_DIFFER_MILLIS);
  return [...read].some((asOf) => asOf === null || millis + CLOCKS_DIFFER_MILLIS >= asOf + days * DAY_MILLIS);
}

/** The day that the evidence tells is one that could be read, and the dial ends with it. */
export function isTrueListAge({ book }: PolicyAudit, dial: PolicyDial, { value, limit }: Check): boolean {
  if (typeof value !== "string" || typeof limit !== "number") return false;
  const asOf = Date.parse(value);
  const isInTime = millisOf(dial.dial.event.data.dialBy) <= asOf + limit * DAY_MILLIS;
  return around(book, dial.millis).has(asOf) && isInTime;
}

/** A list for which somebody is skipped counted then. Histories of before there were lists name none. */
export function judgeListed({ book, report }: PolicyAudit, skip: Placed<ContactSkipped>): void {
  const list = skip.event.data.suppression?.list;
  if (list === undefined || book.lists.length === 0) return;
  const millis = atMillis(skip);
  let [couldCount, isLoaded] = [false, false];
  for (const { event } of book.lists.toSorted((a, b) => atMillis(a) - atMillis(b))) {
    const at = millisOf(event.data.at);
    if (event.data.listId !== list.id || at > millis + CLOCKS_DIFFER_MILLIS) continue;
    if (event.type === "SuppressionListReplaced") isLoaded = true;
    else if (event.data.active && !event.data.deleted) couldCount = true;
    else couldCount = couldCount && at >= millis - READ_BEFORE_MILLIS;
  }
  if (couldCount && isLoaded) return;
  const problem = `${skip.event.data.contactId} is skipped for ${list.id}, which did not count`;
  report("policy-skip-legal", problem, skip);
}
