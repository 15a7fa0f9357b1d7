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

export function createRecentMap<Key, Value>(
  limit: number,
  mayGo: (value: Value) => boolean = () => true,
): RecentMap<Key, Value> {
  const entries = new Map<Key, Value>();
  /** The entry used last is at the end already. */
  let newest: Key | undefined;

  const shrink = () => {
    for (const [key, value] of entries) {
      if (entries.size <= limit) return;
      if (mayGo(value)) entries.delete(key);
    }
  };

  return {
    get: (key) => {
      const value = entries.get(key);
      if (value === undefined || key === newest) return value;
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      return value;
    },
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      if (entries.size > limit) shrink();
    },
    delete: (key) => {
      entries.delete(key);
    },
    size: () => entries.size,
  };
}
