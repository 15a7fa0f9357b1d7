import type { Clock } from "./ports/clock.ts";

const JUMP_MILLIS = 1_000;

/**
 * How long the wall clock has run without a jump in this process, in milliseconds; 0 right after its start
 * and right after a jump. Recent times in the log can be compared with the clock only within this time;
 * before that, nobody knows how long ago they were.
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
