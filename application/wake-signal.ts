import type { Clock } from "./ports/clock.ts";

/** A reason of its own is a hundred times cheaper than the exception that an abort makes by default. */
const WOKEN = "woken";

/** Waits that something can cut short. A `wake` while nobody waits makes the next wait return at once. */
export type WakeSignal = {
  readonly wake: () => void;
  /** Somebody woke it and no wait has taken that up yet. */
  readonly isWoken: () => boolean;
  /** Resolves when woken, when `millis` are over, or when `stop` aborts. */
  readonly wait: (millis: number) => Promise<void>;
};

export function createWakeSignal(clock: Clock, stop: AbortSignal): WakeSignal {
  let woken = false;
  let cut: AbortController | null = null;

  const wake = () => {
    woken = true;
    cut?.abort(WOKEN);
  };
  stop.addEventListener("abort", wake, { once: true });

  return {
    wake,
    isWoken: () => woken,
    wait: async (millis) => {
      if (!woken && millis > 0 && !stop.aborted) {
        cut = new AbortController();
        await clock.sleep(millis, cut.signal);
        cut = null;
      }
      woken = false;
    },
  };
}
