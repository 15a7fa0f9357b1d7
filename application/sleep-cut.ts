import type { StopSignal } from "./ports/clock.ts";

/** Cuts one sleep short. It hears one listener at a time. */
export type SleepCut = StopSignal & {
  /** A repeat does nothing. */
  abort(): void;
};

/** An AbortController costs several times as much as the sleep itself, and each timer of a call would have one. */
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
