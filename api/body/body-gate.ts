/** A semaphore with at most half of its places for one owner; the others wait in order. */
export type Gate = {
  /** Resolves when there is a place; call the returned function once, when the work is over. */
  enter(owner: string, signal: AbortSignal): Promise<() => void>;
};

type Waiting = { readonly owner: string; readonly letIn: () => void };

export function createGate(places: number): Gate {
  const mostOfOne = Math.max(1, Math.floor(places / 2));
  const inside = new Map<string, number>();
  const waiting: Waiting[] = [];
  let free = places;

  const hasRoomFor = (owner: string) => free > 0 && (inside.get(owner) ?? 0) < mostOfOne;
  const take = (owner: string, change: 1 | -1) => {
    free -= change;
    const count = (inside.get(owner) ?? 0) + change;
    if (count === 0) inside.delete(owner);
    else inside.set(owner, count);
  };
  const leave = (owner: string) => {
    take(owner, -1);
    const next = waiting.findIndex((each) => hasRoomFor(each.owner));
    for (const { owner: other, letIn } of next < 0 ? [] : waiting.splice(next, 1)) {
      take(other, 1);
      letIn();
    }
  };

  return {
    enter: async (owner, signal) => {
      signal.throwIfAborted();
      if (hasRoomFor(owner)) take(owner, 1);
      else await turn(waiting, owner, signal);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave(owner);
      };
    },
  };
}

function turn(waiting: Waiting[], owner: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const mine: Waiting = {
      owner,
      letIn: () => {
        signal.removeEventListener("abort", gone);
        resolve();
      },
    };
    const gone = () => {
      waiting.splice(waiting.indexOf(mine), 1);
      reject(signal.reason);
    };
    waiting.push(mine);
    signal.addEventListener("abort", gone, { once: true });
  });
}
