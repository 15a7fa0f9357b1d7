import type { Clock, StopSignal } from "./ports/clock.ts";

/** Milliseconds between two tries: the first pause, then doubled each time, up to the longest. */
export type Pauses = { readonly first: number; readonly longest: number };

type Retrying = {
  readonly clock: Pick<Clock, "sleep">;
  readonly pauses: Pauses;
  readonly signal: StopSignal;
  /** Gets each failure and the pause (ms) before the next try. Throws what a retry cannot fix. */
  readonly onFailure: (error: unknown, pauseMillis: number) => void;
};

/**
 * Tries `work` until it succeeds; resolves with undefined when `signal` aborts first, rejects with
 * what `onFailure` throws.
 */
export async function retryUntilDone<T>(
  { clock, pauses, signal, onFailure }: Retrying,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let pause = pauses.first; !signal.aborted; pause = Math.min(pause * 2, pauses.longest)) {
    try {
      return await work();
    } catch (error) {
      onFailure(error, pause);
      await clock.sleep(pause, signal);
    }
  }
  return undefined;
}

type Repeating = {
  readonly signal: StopSignal;
  /** Waits for the next round; ends early when `signal` aborts. */
  readonly pause: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

/** Runs rounds with a pause after each, until `signal` aborts. A failure ends only its own round. */
export async function repeatUntilStopped(
  { signal, pause, onFailure }: Repeating,
  round: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await round();
    } catch (error) {
      onFailure(error);
    }
    if (!signal.aborted) await pause();
  }
}
