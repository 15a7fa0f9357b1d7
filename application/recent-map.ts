/**
 * An LRU map with the `limit` entries used last. Entries for which `mayGo` is false stay; they are checked
 * again at the next addition.
 */
export type RecentMap<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  readonly delete: (key: Key) => void;
  readonly size: () => number;
};

/** One of the entries in their order of use; null: there is none on that side. */
type Entry<Key, Value> = {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value> | null;
  newer: Entry<Key, Value> | null;
};

/**
 * The order is a list of its own: the order of the map would take a deletion for each use, and a map is slow
 * with the holes that these leave.
 */
export function createRecentMap<Key, Value>(
  limit: number,
  mayGo: (value: Value) => boolean = () => true,
): RecentMap<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>();
  let oldest: Entry<Key, Value> | null = null;
  let newest: Entry<Key, Value> | null = null;

  const takeOut = ({ older, newer }: Entry<Key, Value>) => {
    if (older === null) oldest = newer;
    else older.newer = newer;
    if (newer === null) newest = older;
    else newer.older = older;
  };

  const putLast = (entry: Entry<Key, Value>) => {
    entry.older = newest;
    entry.newer = null;
    if (newest === null) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  };

  const use = (entry: Entry<Key, Value>) => {
    if (entry === newest) return;
    takeOut(entry);
    putLast(entry);
  };

  const forget = (entry: Entry<Key, Value>) => {
    takeOut(entry);
    entries.delete(entry.key);
  };

  const shrink = () => {
    for (let entry = oldest; entry !== null && entries.size > limit; entry = entry.newer)
      if (mayGo(entry.value)) forget(entry);
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      use(entry);
      return entry.value;
    },
    set: (key, value) => {
      const known = entries.get(key);
      if (known === undefined) {
        const entry = { key, value, older: null, newer: null };
        entries.set(key, entry);
        putLast(entry);
      } else {
        known.value = value;
        use(known);
      }
      shrink();
    },
    delete: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) forget(entry);
    },
    size: () => entries.size,
  };
}
