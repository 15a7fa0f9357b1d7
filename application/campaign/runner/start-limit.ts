/** The events of one append: a log takes a large one the slower, the more small ones are under way. */
export const BATCH_LIMIT = 100;
/** While other campaigns wait as well, each gets so many at a time. */
const IN_TURN_LIMIT = 25;
/**
 * No more dials are recorded while more than these have not begun. A dial has limits (5 s for its append,
 * dialBy): where the log or this process is slow, the next ones wait for their turn before it is drawn, not
 * after it.
 */
export const FEW_STARTING = 50;

/**
 * Dials on their way to the log, of all campaigns of this process
 * (docs/decisions/0164-one-brake-for-all-campaigns.md).
 */
export type StartLimit = {
  /**
   * Resolves when few are on their way, for one caller after the other, with how many of `wanted` it may add
   * (0: `stop` has aborted). They count until `leave`.
   */
  readonly enter: (wanted: number, stop: AbortSignal) => Promise<number>;
  readonly leave: (count: number) => void;
  /** A recorded dial has its turn. It counts until what is returned is called; a repeat changes nothing. */
  readonly began: () => () => void;
};

type Waiting = { readonly wanted: number; readonly go: (count: number) => void };

export function createStartLimit(): StartLimit {
  const waiting = new Set<Waiting>();
  let underWay = 0;
  const letIn = (): void => {
    for (const each of waiting) {
      if (underWay > FEW_STARTING) return;
      const count = Math.min(each.wanted, waiting.size > 1 ? IN_TURN_LIMIT : BATCH_LIMIT);
      underWay += count;
      waiting.delete(each);
      each.go(count);
    }
  };
  const leave = (count: number): void => {
    underWay -= count;
    letIn();
  };
  return {
    enter: (wanted, stop) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      const each: Waiting = {
        wanted,
        go: (count) => {
          stop.removeEventListener("abort", giveUp);
          resolve(count);
        },
      };
      const giveUp = (): void => {
        waiting.delete(each);
        resolve(0);
      };
      if (stop.aborted) giveUp();
      else {
        stop.addEventListener("abort", giveUp);
        waiting.add(each);
        letIn();
      }
      return promise;
    },
    leave,
    began: () => {
      underWay += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        leave(1);
      };
    },
  };
}
