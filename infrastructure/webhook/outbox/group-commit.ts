import { groupRunner } from "../../../application/group-runner.ts";

/**
 * Runs items that are given at the same time together, at most `largest` (except items of one call). When a
 * group fails, all of its callers fail.
 */
export function groupCommit<Item>(
  run: (items: readonly Item[]) => Promise<void>,
  largest: number,
): (items: readonly Item[]) => Promise<void> {
  const runTogether = groupRunner<readonly Item[], void>({
    run: async (given) => {
      await run(given.flat());
      return given.map(() => undefined);
    },
    largest,
    weigh: ({ length }) => length,
    failsForAll: () => true,
  });
  return async (items) => {
    if (items.length > 0) await runTogether(items);
  };
}
