import { groupRunner } from "../../application/group-runner.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** More would only make the first ones wait for the last ones' rows. */
const LARGEST_GROUP = 64;

/** One row by its id, of its owner only. */
export type Wanted<Id> = { readonly owner: OwnerId; readonly id: Id };

/**
 * Rows by id that are asked for at the same moment are read by one statement: under load a request pays for a part of a round trip. Nobody is given
 * what was read before he asked. `read` answers in the order of what is wanted, null for what is not there or another owner's.
 */
export function groupedReads<Id, Found>(
  read: (wanted: readonly Wanted<Id>[]) => Promise<readonly (Found | null)[]>,
): (owner: OwnerId, id: Id) => Promise<Found | null> {
  // A group holds ids only: what fails for one fails for every one.
  const ask = groupRunner({ run: read, largest: LARGEST_GROUP, failsForAll: () => true });
  return (owner, id) => ask({ owner, id });
}

/** Answers of rows that name the place (from 1) of what they answer. */
export function inPlaces<Row extends { readonly place: number }>(
  wanted: readonly unknown[],
  rows: readonly Row[],
): (Row | null)[] {
  const found: (Row | null)[] = wanted.map(() => null);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}
