/** Notifies subscriptions of this store of new events. */
export type WakeUps = {
  /** `others`: another process may have written; else this one did. */
  readonly raise: (others: boolean) => void;
  /** Number of calls of `raise`: read it before looking, and nothing is missed. */
  readonly count: () => number;
  /** The number of those caused by other processes. */
  readonly countOfOthers: () => number;
  /** Resolves when `raise` was called since then, after `millis`, or when `signal` aborts. */
  readonly since: (count: number, millis: number, signal: AbortSignal) => Promise<void>;
};

export function createWakeUps(): WakeUps {
  let raised = 0;
  let raisedByOthers = 0;
  const waiting = new Set<() => void>();
  return {
    raise(others) {
      raised += 1;
      if (others) raisedByOthers += 1;
      for (const wake of [...waiting]) wake();
    },
    count: () => raised,
    countOfOthers: () => raisedByOthers,
    async since(count, millis, signal) {
      if (raised !== count || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, millis);
      const wake = (): void => resolve();
      waiting.add(wake);
      signal.addEventListener("abort", wake);
      await promise;
      clearTimeout(timer);
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
    },
  };
}
