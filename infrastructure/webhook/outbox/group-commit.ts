import { groupRunner } from "../../../application/group-runner.ts";

/** Items that are given at the same moment are run together, at most `largest` unless they were given at once. A group that fails fails for each of its callers. */
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
