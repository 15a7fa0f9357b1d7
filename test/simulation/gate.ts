/** One process of the world. When it dies, whatever it was waiting for never comes back. */
export type Life = { alive: boolean; readonly name: string };

/** Every effect of a process passes here and may be the last thing it does, before or after it took place. */
export type Gate = {
  /** An effect with two places to die at. */
  readonly effect: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Something without an effect: a dead process gets no answer. */
  readonly look: <T>(work: () => Promise<T>) => Promise<T>;
  readonly life: Life;
};

/** Decides whether the process dies here. */
export type Reaper = (life: Life, name: string, when: "before" | "after") => boolean;

/** A promise of its own each time: one for all would keep everybody who ever waited for it. */
function unsettled(): Promise<never> {
  return new Promise(() => undefined);
}

/** `mayLook`: false when the process goes round in circles, which would hold up the whole run; it gets no more answers then. */
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
