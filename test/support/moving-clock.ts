import type { Clock } from "../../application/ports/clock.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";

export type MovingClock = Clock & {
  /** Moves both clocks on and ends the sleeps that are due. */
  advance(millis: number): void;
};

/**
 * A clock whose wall and monotonic time move only when a test says so; sleeps end by
 * `advance` or by their signal.
 */
export function movingClock(startMs = Date.parse("2026-09-01T10:00:00.000Z")): MovingClock {
  let elapsed = 0;
  const sleeping = new Set<{ due: number; wake: () => void }>();
  const nowMillis = (): number => startMs + elapsed;
  return {
    now: () => instantFromMillis(nowMillis()),
    nowMillis,
    monotonicMillis: () => elapsed,
    sleep: (millis, signal) =>
      new Promise((resolve) => {
        if (millis <= 0 || signal?.aborted === true) return resolve();
        const sleeper = {
          due: elapsed + millis,
          wake: () => {
            sleeping.delete(sleeper);
            resolve();
          },
        };
        sleeping.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake);
      }),
    advance(millis) {
      elapsed += millis;
      for (const sleeper of [...sleeping]) if (sleeper.due <= elapsed) sleeper.wake();
    },
  };
}
