import type { Instant } from "../../domain/shared/instant.ts";

/** Something that can cut a wait short; every AbortSignal is one. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The only source of time. In the simulation it is virtual, and moves only when nothing else can run. */
export interface Clock {
  /** Wall clock. */
  now(): Instant;
  nowMillis(): number;
  /** Milliseconds that never jump; only differences have a meaning. For time limits within this process. */
  monotonicMillis(): number;
  /**
   * Resolves after `millis`, or at once when `signal` aborts (it never rejects). Long waits read the clock
   * again within 15 s (docs/architecture.md §4).
   */
  sleep(millis: number, signal?: StopSignal): Promise<void>;
}
