const TURNS_AT_ONCE = 64;

/**
 * Calls `step` until it returns something other than undefined, each time after everything that can run has
 * run: between two immediates Node runs all microtasks, however deeply they nest. Many immediates are queued
 * at once because a round of the event loop takes longer than a step.
 */
export function inTurns<T>(step: () => T | undefined): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let over = false;
  let left = 0;
  const queue = (): void => {
    left = TURNS_AT_ONCE;
    for (let index = 0; index < TURNS_AT_ONCE; index += 1) setImmediate(take);
  };
  const take = (): void => {
    left -= 1;
    if (over) return;
    try {
      const answer = step();
      if (answer !== undefined) {
        over = true;
        resolve(answer);
      } else if (left === 0) queue();
    } catch (error) {
      over = true;
      reject(error);
    }
  };
  queue();
  return promise;
}
