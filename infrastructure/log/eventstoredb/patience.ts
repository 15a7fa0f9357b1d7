/**
 * How long calls are repeated: a server that restarts is awaited, one that is known to be unavailable
 * is reported at once.
 */
export type Patience = {
  readonly budgetMs: () => number;
  /** The server has answered a call. */
  readonly answered: () => void;
  /** A call was given up because no server answered. */
  readonly usedUp: () => void;
};

/** Before the first answer nobody knows whether there is a server. */
const UNKNOWN_MS = 1_000;

/**
 * `budgetMs` while the server answers; after a call was given up, one attempt each until it answers again.
 */
export function createPatience(budgetMs: number): Patience {
  let current = Math.min(budgetMs, UNKNOWN_MS);
  return {
    budgetMs: () => current,
    answered: () => {
      current = budgetMs;
    },
    usedUp: () => {
      current = 0;
    },
  };
}
