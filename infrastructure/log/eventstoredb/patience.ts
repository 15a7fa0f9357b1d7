/**
 * How long calls are repeated: a server that restarts is awaited, one that is known to be unavailable
 * is reported at once.
 */
export type Patience = {
  readonly budgetMillis: () => number;
  /** The server has answered a call. */
  readonly answered: () => void;
  /** A call was given up because no server answered. */
  readonly usedUp: () => void;
};

/** Before the first answer nobody knows whether there is a server. */
const UNKNOWN_MILLIS = 1_000;

/**
 * `budgetMillis` while the server answers; after a call was given up, one attempt each until it answers
 * again.
 */
export function createPatience(budgetMillis: number): Patience {
  let current = Math.min(budgetMillis, UNKNOWN_MILLIS);
  return {
    budgetMillis: () => current,
    answered: () => {
      current = budgetMillis;
    },
    usedUp: () => {
      current = 0;
    },
  };
}
