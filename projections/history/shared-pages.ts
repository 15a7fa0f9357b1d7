import type { OwnerHistoryPage } from "./owner-history.ts";

/**
 * Pages of the log that many followers read: who asks for one that is being read or was read last gets that one. A page that says where to read on never
 * changes, because the log only grows at its end; but for words that are erased.
 */
export type SharedPages = {
  /** What was read before counts no more: words in it may have been erased. */
  readonly clear: () => void;
  readonly get: (key: string, read: () => Promise<OwnerHistoryPage>) => Promise<OwnerHistoryPage>;
};

export type SharedPagesLimits = {
  /** Kept after they were read: what followers that do not read hold of the memory. */
  readonly kept: number;
  /** Reads at once: others need the database too. */
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
