import type { Clock } from "../ports/clock.ts";

/**
 * The two times of a run. Line time: what is said, heard and waited for. Our time: limits of models, tools and
 * turns. Both jump together to the next timer when nothing else can run; while a model is asked, our time goes as
 * the real one does, and line time stands still.
 */
export type RehearsalClock = {
  readonly ours: Clock;
  readonly line: Pick<Clock, "monotonicMillis" | "sleep">;
  /** For how many milliseconds of our time line time has stood still so far. */
  readonly stoodMillis: () => number;
  /** Our time goes as the real one while this is done. */
  readonly during: <T>(effect: () => Promise<T>) => Promise<T>;
  /** No time passes while this is done. */
  readonly outside: <T>(effect: () => Promise<T>) => Promise<T>;
  /** Moves time until the work is done. Rejects as it does, and when nothing is left that it could wait for. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
};
