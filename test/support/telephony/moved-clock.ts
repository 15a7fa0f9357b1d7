import { systemClock } from "../../../infrastructure/clock.ts";

/** A process whose wall clock is so much ahead. */
export function clockAheadBy(millis: number): typeof systemClock {
  return {
    ...systemClock,
    nowMillis: () => systemClock.nowMillis() + millis,
  };
}
