/**
 * Calls that wait at the same moment are run together: while one group runs, what arrives gathers for the next. A group that
 * fails fails for each of its callers.
 */
export function groupCommit<Item>(
  run: (items: readonly Item[]) => Promise<void>,
  largest: number,
): (items: readonly Item[]) => Promise<void> {
  type Waiting = { items: readonly Item[]; resolve: () => void; reject: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let running = false;

  const nextGroup = (): Waiting[] => {
    let size = 0;
    const end = waiting.findIndex(({ items }, index) => {
      size += items.length;
      return index > 0 && size > largest;
    });
    return waiting.splice(0, end < 0 ? waiting.length : end);
  };
  const runAll = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = nextGroup();
      try {
        await run(group.flatMap(({ items }) => items));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  };
  return (items) => {
    if (items.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject });
      if (!running) queueMicrotask(() => running || void runAll());
    });
  };
}
