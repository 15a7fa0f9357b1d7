/** Lets a bounded number in; the others wait in order. */
export type Gate = {
  /** Resolves when there is room; the answer must be called once, when the work is over. */
  enter(signal: AbortSignal): Promise<() => void>;
};

export function createGate(places: number): Gate {
  let free = places;
  const waiting: (() => void)[] = [];

  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };

  return {
    enter: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(waiting, signal);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave();
      };
    },
  };
}

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const mine = () => {
      signal.removeEventListener("abort", gone);
      resolve();
    };
    const gone = () => {
      waiting.splice(waiting.indexOf(mine), 1);
      reject(signal.reason);
    };
    waiting.push(mine);
    signal.addEventListener("abort", gone, { once: true });
  });
}
