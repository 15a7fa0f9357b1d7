import type { Clock } from "./ports/clock.ts";

const JUMP_MILLIS = 1_000;

/**
 * For how long this process has seen the wall clock go on evenly, in milliseconds; 0 just after its start and just after a jump was noticed.
 * What times in the log say of the last moments counts only then: before that, nobody knows how long ago they were.
 */
export function createSteadyTime(clock: Clock): () => number {
  const ahead = () => clock.nowMillis() - clock.monotonicMillis();
  let since = clock.monotonicMillis();
  let aheadBefore = ahead();
  return () => {
    const now = clock.monotonicMillis();
    if (Math.abs(ahead() - aheadBefore) > JUMP_MILLIS) since = now;
    aheadBefore = ahead();
    return now - since;
  };
}
