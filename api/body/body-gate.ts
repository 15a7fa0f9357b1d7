/** A semaphore with at most half of its places for one owner; the others wait in order. */
export type Gate = {
  /** As `enter`, without waiting; null: there is no room now. */
  tryEnter(owner: string, places?: number): (() => void) | null;
  /**
   * Resolves when there is room for so many places (1; never more than an owner may have). Call the returned
   * function when the work is over; a repeat does nothing.
   */
  enter(owner: string, signal: AbortSignal, places?: number): Promise<() => void>;
};

type Waiting = { readonly owner: string; readonly places: number; readonly letIn: () => void };

export function createGate(places: number): Gate {
  const mostOfOne = Math.max(1, Math.floor(places / 2));
  const inside = new Map<string, number>();
  const waiting: Waiting[] = [];
  let free = places;

  const hasRoomFor = (owner: string, asked: number) =>
    free >= asked && (inside.get(owner) ?? 0) + asked <= mostOfOne;
  const take = (owner: string, change: number) => {
    free -= change;
    const count = (inside.get(owner) ?? 0) + change;
    if (count === 0) inside.delete(owner);
    else inside.set(owner, count);
  };
  const leave = (owner: string, left: number) => {
    take(owner, -left);
    for (;;) {
      const next = waiting.findIndex((each) => hasRoomFor(each.owner, each.places));
      const [first] = next < 0 ? [] : waiting.splice(next, 1);
      if (first === undefined) return;
      take(first.owner, first.places);
      first.letIn();
    }
  };

  const leaving = (owner: string, needed: number) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave(owner, needed);
    };
  };
  const tryEnter = (owner: string, asked = 1) => {
    const needed = Math.min(asked, mostOfOne);
    if (!hasRoomFor(owner, needed)) return null;
    take(owner, needed);
    return leaving(owner, needed);
  };

  return {
    tryEnter,
    enter: async (owner, signal, asked = 1) => {
      signal.throwIfAborted();
      const entered = tryEnter(owner, asked);
      if (entered !== null) return entered;
      const needed = Math.min(asked, mostOfOne);
      await turn(waiting, owner, needed, signal);
      return leaving(owner, needed);
    },
  };
}

function turn(waiting: Waiting[], owner: string, places: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const mine: Waiting = {
      owner,
      places,
      letIn: () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      },
    };
    const onAbort = () => {
      waiting.splice(waiting.indexOf(mine), 1);
      reject(signal.reason);
    };
    waiting.push(mine);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
