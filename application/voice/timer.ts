import type { Clock } from "../ports/clock.ts";
import { createSleepCut, type SleepCut } from "../wake-signal.ts";

/** At most one pending action: setting another one, or cancelling, drops the one before. */
export interface Timer {
  set(millis: number, run: () => void): void;
  cancel(): void;
}

export function createTimer(clock: Pick<Clock, "sleep">): Timer {
  let current: SleepCut | null = null;
  const cancel = () => {
    const cut = current;
    current = null;
    cut?.abort();
  };
  return {
    cancel,
    set: (millis, run) => {
      cancel();
      const mine = createSleepCut();
      current = mine;
      void clock.sleep(Math.max(0, millis), mine).then(() => {
        if (current !== mine) return;
        current = null;
        run();
      });
    },
  };
}
