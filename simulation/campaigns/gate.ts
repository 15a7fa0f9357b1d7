/** One process of the world. When it dies, its pending promises never settle. */
export type Life = { alive: boolean; readonly name: string };

/** Every effect of a process passes here; the process may die before or after it. */
export type Gate = {
  /** An effect with two places to die at. */
  readonly effect: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Without an effect: a dead process gets no answer. */
  readonly look: <T>(work: () => Promise<T>) => Promise<T>;
  readonly life: Life;
};

/** Decides whether the process dies here. */
export type Reaper = (life: Life, name: string, when: "before" | "after") => boolean;

/** A new promise each time: a shared one would keep all its waiters in memory. */
function unsettled(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * `mayLook`: false when the process is in an endless loop, which would block the run; it gets
 * no more answers then.
 */
export function createGate(life: Life, reaper: Reaper, mayLook: () => boolean): Gate {
  return {
    life,
    effect: (name, work) => {
      if (!life.alive || reaper(life, name, "before")) return unsettled();
      return work().then(
        (answer) => (!life.alive || reaper(life, name, "after") ? unsettled() : answer),
        (error: unknown) => (life.alive ? Promise.reject(error) : unsettled()),
      );
    },
    look: (work) => {
      if (!life.alive || !mayLook()) return unsettled();
      return work().then((answer) => (life.alive ? answer : unsettled()));
    },
  };
}
