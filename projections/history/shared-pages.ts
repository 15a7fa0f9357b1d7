import type { OwnerHistoryPage } from "./owner-history.ts";

/**
 * Pages of the log for many followers: a page that is being read, or was recently read, is shared. A page
 * with a next position never changes, because the log only grows at its end; erased texts are the exception.
 */
export type SharedPages = {
  /** Invalidates all pages, because their texts may have been erased. */
  readonly clear: () => void;
  readonly get: (key: string, read: () => Promise<OwnerHistoryPage>) => Promise<OwnerHistoryPage>;
};

export type SharedPagesLimits = {
  /** Pages kept after reading: the memory that idle followers hold. */
  readonly kept: number;
  /** Concurrent reads: others need the database as well. */
  readonly readsAtOnce: number;
};

export function createSharedPages({ kept, readsAtOnce }: SharedPagesLimits): SharedPages {
  const pages = new Map<string, Promise<OwnerHistoryPage>>();
  const waiting: (() => void)[] = [];
  let reading = 0;

  const inTurn = async (read: () => Promise<OwnerHistoryPage>): Promise<OwnerHistoryPage> => {
    if (reading >= readsAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else reading += 1;
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next === undefined) reading -= 1;
      else next();
    }
  };
  const forgetOldest = () => {
    for (const key of pages.keys()) {
      if (pages.size <= kept) return;
      pages.delete(key);
    }
  };
  return {
    clear: () => pages.clear(),
    get: (key, read) => {
      const known = pages.get(key);
      const page = known ?? inTurn(read);
      pages.delete(key);
      pages.set(key, page);
      if (known === undefined) {
        page.then(
          ({ rows }) => rows.length === 0 && pages.delete(key),
          () => pages.delete(key),
        );
        forgetOldest();
      }
      return page;
    },
  };
}
