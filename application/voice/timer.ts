import type { Clock } from "../ports/clock.ts";

/** At most one pending action: setting another one, or cancelling, drops the one before. */
export interface Timer {
  set(millis: number, run: () => void): void;
  cancel(): void;
}

export function createTimer(clock: Pick<Clock, "sleep">): Timer {
  let current: AbortController | null = null;
  const cancel = () => {
    const cut = current;
    current = null;
    // With a reason: otherwise an error with its stack is created each time.
    cut?.abort("cancelled");
  };
  return {
    cancel,
    set: (millis, run) => {
      cancel();
      const mine = new AbortController();
      current = mine;
      void clock.sleep(Math.max(0, millis), mine.signal).then(() => {
        if (current !== mine) return;
        current = null;
        run();
      });
    },
  };
}
