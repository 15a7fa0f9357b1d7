import type { Clock, StopSignal } from "./ports/clock.ts";

/** Waits that can be cut short. A `wake` while nobody waits makes the next wait return at once. */
export type WakeSignal = {
  readonly wake: () => void;
  /** It was woken, and no wait has consumed that yet. */
  readonly isWoken: () => boolean;
  /** Resolves when woken, after `millis`, or when `stop` aborts. One wait at a time. */
  readonly wait: (millis: number) => Promise<void>;
};

export function createWakeSignal(clock: Clock, stop: StopSignal): WakeSignal {
  let woken = false;
  let endWait: (() => void) | null = null;
  // An AbortController for each wait would cost more than the rest of the wait.
  const cut: StopSignal = {
    get aborted() {
      return woken;
    },
    addEventListener: (_type, listener) => {
      endWait = listener;
    },
    removeEventListener: () => {
      endWait = null;
    },
  };

  const wake = () => {
    woken = true;
    endWait?.();
  };
  stop.addEventListener("abort", wake);

  return {
    wake,
    isWoken: () => woken,
    wait: async (millis) => {
      if (millis > 0 && !stop.aborted) await clock.sleep(millis, cut);
      woken = false;
    },
  };
}

/** Cuts one sleep short. It hears one listener at a time. */
export type SleepCut = StopSignal & {
  /** A repeat does nothing. */
  abort(): void;
};

/** An AbortController costs several times as much as the sleep, and each timer of a call would have one. */
export function createSleepCut(): SleepCut {
  return new OneListener();
}

class OneListener implements SleepCut {
  aborted = false;
  #listener: (() => void) | null = null;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#listener?.();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = null;
  }
}
