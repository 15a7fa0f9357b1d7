/**
 * One for each endpoint. Closed while `openUntilMillis` is null; `waitMillis` is the wait of its last
 * opening.
 */
export type Breaker = {
  /** Failures in a row. */
  readonly failures: number;
  readonly openUntilMillis: number | null;
  readonly waitMillis: number;
};

const FAILURES_TO_OPEN = 5;
const FIRST_WAIT_MILLIS = 30_000;
const LONGEST_WAIT_MILLIS = 300_000;

export const CLOSED_BREAKER: Breaker = { failures: 0, openUntilMillis: null, waitMillis: FIRST_WAIT_MILLIS };

/** `open`: nothing is sent. `probe`: one delivery may be tried. */
export type BreakerState = "closed" | "open" | "probe";

export function breakerState(breaker: Breaker, nowMillis: number): BreakerState {
  if (breaker.openUntilMillis === null) return "closed";
  return nowMillis < breaker.openUntilMillis ? "open" : "probe";
}

/**
 * Opens after five failures in a row; a failed probe doubles the wait, up to five minutes. Attempts that were
 * in flight when it opened and fail later do not change the wait.
 */
export function breakerAfterFailure(breaker: Breaker, nowMillis: number): Breaker {
  const failures = breaker.failures + 1;
  const state = breakerState(breaker, nowMillis);
  if (state === "open" || failures < FAILURES_TO_OPEN) return { ...breaker, failures };
  const waitMillis =
    state === "probe" ? Math.min(breaker.waitMillis * 2, LONGEST_WAIT_MILLIS) : FIRST_WAIT_MILLIS;
  return { failures, openUntilMillis: nowMillis + waitMillis, waitMillis };
}
