import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers";
import type { StopSignal } from "../../application/ports/clock.ts";
import type { Metrics } from "../../application/ports/metrics.ts";

/** How exactly the delay is measured; each sample has this time in it. */
const RESOLUTION_MILLIS = 10;
/** The last second is looked at in parts, so that what is over is soon forgotten. */
const PART_MILLIS = 250;
const PARTS = 4;
/** Above this nothing that can wait is begun, but what has waited for the longest wait. */
const CALM_MILLIS = 10;
const LONGEST_WAIT_MILLIS = 5_000;

export type LoopDelay = {
  /** By how many milliseconds the event loop was late in the last second, on average. */
  readonly millis: () => number;
  /**
   * Resolves when the loop was late by 10 ms at most in the last second, for one waiter in each turn of the
   * loop, the first one first; after 5 s in any case, for four waiters a second; or when `stop` aborts.
   */
  readonly calm: (stop: StopSignal) => Promise<void>;
  readonly close: () => void;
};

type Waiter = { readonly since: number; readonly go: () => void };

/** Measures how late this process does what is due, and lets begin what can wait while it is not late. */
export function openLoopDelay(metrics: Metrics, longestWaitMillis = LONGEST_WAIT_MILLIS): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS });
  histogram.enable();
  const parts: { readonly count: number; readonly sum: number }[] = [];
  let millis = 0;
  const waiting: Waiter[] = [];
  let isLetting = false;

  const letNext = () => {
    if (isLetting || waiting.length === 0 || millis > CALM_MILLIS) return;
    isLetting = true;
    setImmediate(() => {
      isLetting = false;
      waiting.shift()?.go();
      letNext();
    });
  };
  const look = () => {
    const { count } = histogram;
    parts.push({ count, sum: count === 0 ? 0 : count * histogram.mean });
    histogram.reset();
    if (parts.length > PARTS) parts.shift();
    millis = lateness(parts);
    metrics.gauge("ringfold_loop_delay_seconds", millis / 1_000, {});
    const [first] = waiting;
    const isOverdue = first !== undefined && performance.now() - first.since >= longestWaitMillis;
    if (millis > CALM_MILLIS && isOverdue) waiting.shift()?.go();
    letNext();
  };
  const timer = setInterval(look, PART_MILLIS).unref();

  return {
    millis: () => millis,
    calm: (stop) =>
      new Promise((resolve) => {
        if (stop.aborted) return resolve();
        const go = () => {
          stop.removeEventListener("abort", aborted);
          resolve();
        };
        const waiter: Waiter = { since: performance.now(), go };
        const aborted = () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          go();
        };
        stop.addEventListener("abort", aborted);
        waiting.push(waiter);
        letNext();
      }),
    close: () => {
      clearInterval(timer);
      histogram.disable();
      for (const { go } of waiting.splice(0)) go();
    },
  };
}

function lateness(parts: readonly { readonly count: number; readonly sum: number }[]): number {
  const count = parts.reduce((all, part) => all + part.count, 0);
  if (count === 0) return 0;
  const nanos = parts.reduce((all, part) => all + part.sum, 0) / count;
  return Math.max(0, nanos / 1e6 - RESOLUTION_MILLIS);
}
