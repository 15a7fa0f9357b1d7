import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../application/ports/clock.ts";
import { instantFromMillis } from "../domain/shared/instant.ts";

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => instantFromMillis(Date.now()),
  nowMillis: () => Date.now(),
  monotonicMillis: () => performance.now(),
  sleep: async (millis, signal) => {
    try {
      await delay(Math.max(0, millis), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  },
};
