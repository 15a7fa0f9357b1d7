import type { Clock } from "../application/ports/clock.ts";
import { instantFromMillis } from "../domain/shared/instant.ts";

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => instantFromMillis(Date.now()),
  nowMillis: () => Date.now(),
  monotonicMillis: () => performance.now(),
  sleep: (millis, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.max(0, millis));
      signal?.addEventListener("abort", end);
    }),
};
