/** For how long calls are repeated: a server that restarts is waited for, one that is known to be away is told at once. */
export type Patience = {
  readonly budgetMs: () => number;
  /** The server answered a call. */
  readonly answered: () => void;
  /** A call was given up because no server answered. */
  readonly usedUp: () => void;
};

/** Before the first answer nobody knows whether there is a server at all. */
const UNKNOWN_MS = 1_000;

/** `budgetMs` while the server answers; after a call that was given up one attempt each, until the server answers again. */
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
