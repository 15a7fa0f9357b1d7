/** Runs work in turns; the promise is that of the work. `whose`: of one, no two run at the same time. */
export type Turns = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

export type TurnsLimits = {
  readonly atOnce: number;
  /** How many of one may wait; more are refused. */
  readonly waitingOfOne: number;
  /** The error of whoever is refused. */
  readonly refusal: () => Error;
};

type Waiting = { readonly whose: string; readonly begin: () => void };

/** First come, first served among those of whom nothing runs: nobody can take all turns. */
export function createTurns({ atOnce, waitingOfOne, refusal }: TurnsLimits): Turns {
  const waiting: Waiting[] = [];
  const running = new Set<string>();
  const mayBegin = (whose: string) => running.size < atOnce && !running.has(whose);
  const beginNext = () => {
    const index = waiting.findIndex(({ whose }) => mayBegin(whose));
    const [next] = index === -1 ? [] : waiting.splice(index, 1);
    if (next === undefined) return;
    running.add(next.whose);
    next.begin();
  };
  return async (whose, work) => {
    if (mayBegin(whose)) running.add(whose);
    else if (waiting.filter((other) => other.whose === whose).length >= waitingOfOne) throw refusal();
    else await new Promise<void>((begin) => waiting.push({ whose, begin }));
    try {
      return await work();
    } finally {
      running.delete(whose);
      beginNext();
    }
  };
}
