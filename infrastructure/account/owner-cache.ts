import type { OwnerId } from "../../domain/shared/ids.ts";
import type { OwnerChanges } from "./owner-changes.ts";

/** The longest time in the cache, in case a change's notification is lost. */
const LONGEST_MILLIS = 5_000;
const MOST_OWNERS = 5_000;
const MOST_ENTRIES = 1_000;

export type OwnerCache = {
  /**
   * The result of `read`, cached until the owner changes something. A read in flight during the
   * change is not cached.
   */
  readonly get: <Value>(owner: OwnerId, key: string, read: () => Promise<Value>) => Promise<Value>;
};

type Entry = { readonly until: number; readonly value: Promise<unknown> };

/** One for each kind of record, because all keys of a cache have the same type. */
export function createOwnerCache(changes: OwnerChanges): OwnerCache {
  const owners = new Map<OwnerId, Map<string, Entry>>();
  changes.onChange((owner) => owners.delete(owner));
  changes.onGap(() => owners.clear());

  const entriesOf = (owner: OwnerId): Map<string, Entry> => {
    const known = owners.get(owner);
    if (known !== undefined && known.size < MOST_ENTRIES) return known;
    if (owners.size >= MOST_OWNERS) owners.clear();
    const entries = new Map<string, Entry>();
    owners.set(owner, entries);
    return entries;
  };
  return {
    get: <Value>(owner: OwnerId, key: string, read: () => Promise<Value>): Promise<Value> => {
      if (!changes.reliable()) return read();
      const entries = entriesOf(owner);
      const entry = entries.get(key);
      if (entry !== undefined && entry.until > performance.now()) return entry.value as Promise<Value>;
      const value = read();
      entries.set(key, { until: performance.now() + LONGEST_MILLIS, value });
      value.catch(() => entries.delete(key));
      return value;
    },
  };
}
