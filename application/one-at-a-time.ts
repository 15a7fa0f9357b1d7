/** Runs the work for one key in order, also after a failure; different keys do not wait for each other. */
export type OneAtATime<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>;

export function oneAtATime<Key>(): OneAtATime<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
