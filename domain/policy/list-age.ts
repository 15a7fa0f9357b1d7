import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";

const DAY = 86_400_000;

/** The registry lists of an owner that are active, as far as their age counts. */
export type RegistryLists = {
  /** Day of the oldest of them; null: there is none, or one that has no numbers yet. */
  readonly oldestAsOf: Instant | null;
};

/** `isBehind`: a list is older than the log says, whatever it is a list of. */
export type ListStanding = RegistryLists & { readonly isBehind: boolean };

export const NO_LISTS: ListStanding = { oldestAsOf: null, isBehind: false };

/** From then on one of them is too old; null: nobody may be called by them at all. */
export function listsCountUntil({ oldestAsOf }: RegistryLists, maxAgeDays: number): Instant | null {
  return oldestAsOf === null ? null : instantFromMillis(millisOf(oldestAsOf) + maxAgeDays * DAY);
}

export function areYoungEnough(lists: RegistryLists, maxAgeDays: number, at: Instant): boolean {
  const until = listsCountUntil(lists, maxAgeDays);
  return until !== null && at < until;
}
