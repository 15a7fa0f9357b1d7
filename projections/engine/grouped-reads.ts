import { groupRunner } from "../../application/group-runner.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** With more, the first callers would wait for the rows of the last ones. */
const LARGEST_GROUP = 64;

/** One row by id, of this owner only. */
export type Wanted<Id> = { readonly owner: OwnerId; readonly id: Id };

/**
 * Rows by id that are requested at the same time are read by one statement, so that under load a request
 * costs a part of a round trip. No answer is older than its request. `read` returns rows in the order of the
 * requests, null for a missing row or another owner's.
 */
export function groupedReads<Id, Found>(
  read: (wanted: readonly Wanted<Id>[]) => Promise<readonly (Found | null)[]>,
  largest = LARGEST_GROUP,
): (owner: OwnerId, id: Id) => Promise<Found | null> {
  // A group only has ids, so a failure concerns all of them.
  const ask = groupRunner({ run: read, largest, failsForAll: () => true });
  return (owner, id) => ask({ owner, id });
}

/** Maps rows to the requests whose place (from 1) they name. */
export function inPlaces<Row extends { readonly place: number }>(
  wanted: readonly unknown[],
  rows: readonly Row[],
): (Row | null)[] {
  const found: (Row | null)[] = wanted.map(() => null);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}
