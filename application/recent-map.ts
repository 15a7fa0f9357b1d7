/** Of what is over, hardly anything is asked for again: a late word, a webhook that waited for an outcome. */
const KEPT_WHEN_OVER = 1_000;

/**
 * An LRU map with the entries used last: `limit` of them, or as many as weigh so much together. Entries for
 * which `mayGo` is false stay; they are checked again at the next addition.
 */
export type RecentMap<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  /** Whether it is there; it does not count as use. */
  readonly has: (key: Key) => boolean;
  readonly delete: (key: Key) => void;
  readonly size: () => number;
};

/** null: there is none on that side. */
type Entry<Key, Value> = {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value> | null;
  newer: Entry<Key, Value> | null;
};

/** Entries in their order of use. */
type Order<Key, Value> = { oldest: Entry<Key, Value> | null; newest: Entry<Key, Value> | null };

/**
 * The order is a list of its own: the order of the map would take a deletion for each use, and a map is slow
 * with the holes that these leave.
 */
export function createRecentMap<Key, Value>(
  limit: number,
  mayGo: (value: Value) => boolean = () => true,
  weightOf: (value: Value) => number = () => 1,
): RecentMap<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>();
  const order: Order<Key, Value> = { oldest: null, newest: null };
  let weight = 0;

  const forget = (entry: Entry<Key, Value>) => {
    weight -= weightOf(entry.value);
    takeOut(order, entry);
    entries.delete(entry.key);
  };

  const shrink = () => {
    for (let entry = order.oldest; entry !== null && weight > limit; entry = entry.newer)
      if (mayGo(entry.value)) forget(entry);
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      use(order, entry);
      return entry.value;
    },
    set: (key, value) => {
      const known = entries.get(key);
      weight += weightOf(value);
      if (known === undefined) {
        const entry = { key, value, older: null, newer: null };
        entries.set(key, entry);
        putLast(order, entry);
      } else {
        weight -= weightOf(known.value);
        known.value = value;
        use(order, known);
      }
      shrink();
    },
    has: (key) => entries.has(key),
    delete: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) forget(entry);
    },
    size: () => entries.size,
  };
}

/** A RecentMap in which what goes on is not pushed out by what is over: of that, the last 1,000 are kept. */
export type LiveMap<Key, Value> = RecentMap<Key, Value> & {
  /** What has this key is over. A key that is not there is left out. */
  readonly over: (key: Key) => void;
};

/** `limit`: of what goes on; see createRecentMap. */
export function createLiveMap<Key, Value>(
  limit: number,
  mayGo: (value: Value) => boolean = () => true,
): LiveMap<Key, Value> {
  const live = createRecentMap<Key, Value>(limit, mayGo);
  const over = createRecentMap<Key, Value>(KEPT_WHEN_OVER, mayGo);
  return {
    get: (key) => live.get(key) ?? over.get(key),
    set: (key, value) => (over.has(key) ? over : live).set(key, value),
    has: (key) => live.has(key) || over.has(key),
    delete: (key) => {
      live.delete(key);
      over.delete(key);
    },
    size: () => live.size() + over.size(),
    over: (key) => {
      const value = live.get(key);
      if (value === undefined) return;
      live.delete(key);
      over.set(key, value);
    },
  };
}

function use<Key, Value>(order: Order<Key, Value>, entry: Entry<Key, Value>): void {
  if (entry === order.newest) return;
  takeOut(order, entry);
  putLast(order, entry);
}

function takeOut<Key, Value>(order: Order<Key, Value>, { older, newer }: Entry<Key, Value>): void {
  if (older === null) order.oldest = newer;
  else older.newer = newer;
  if (newer === null) order.newest = older;
  else newer.older = older;
}

function putLast<Key, Value>(order: Order<Key, Value>, entry: Entry<Key, Value>): void {
  entry.older = order.newest;
  entry.newer = null;
  if (order.newest === null) order.oldest = entry;
  else order.newest.newer = entry;
  order.newest = entry;
}
