export interface Limiter {
  /** Runs the work once fewer than the limit are running, in the order of calls. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(limit: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < limit) running += 1;
      // takes over the place of the one that ends
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
