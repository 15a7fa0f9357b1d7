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

/** Decides whether the process dies here; `place` counts from 1 in the whole world. */
export type Reaper = (life: Life, name: string, when: "before" | "after") => boolean;

/** A promise of its own each time: one for all would keep everybody who ever waited for it. */
function unsettled(): Promise<never> {
  return new Promise(() => undefined);
}

export function createGate(life: Life, reaper: Reaper): Gate {
  return {
    life,
    effect: async (name, work) => {
      if (!life.alive || reaper(life, name, "before")) return unsettled();
      try {
        return await answered(life, reaper, name, await work());
      } catch (error) {
        if (!life.alive) return unsettled();
        throw error;
      }
    },
    look: async (work) => {
      if (!life.alive) return unsettled();
      const answer = await work();
      return life.alive ? answer : unsettled();
    },
  };
}

function answered<T>(life: Life, reaper: Reaper, name: string, answer: T): T | Promise<never> {
  return !life.alive || reaper(life, name, "after") ? unsettled() : answer;
}
