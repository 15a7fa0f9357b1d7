/** One for each endpoint. Closed while `openUntilMs` is null; `waitMs` is the wait of its last opening. */
export type Breaker = {
  /** Failures in a row. */
  readonly failures: number;
  readonly openUntilMs: number | null;
  readonly waitMs: number;
};

const FAILURES_TO_OPEN = 5;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 300_000;

export const CLOSED_BREAKER: Breaker = { failures: 0, openUntilMs: null, waitMs: FIRST_WAIT_MS };

/** `open`: nothing is sent. `probe`: one delivery may be tried. */
export type BreakerState = "closed" | "open" | "probe";

export function breakerState(breaker: Breaker, nowMs: number): BreakerState {
  if (breaker.openUntilMs === null) return "closed";
  return nowMs < breaker.openUntilMs ? "open" : "probe";
}

/**
 * Opens after five failures in a row; a failed probe doubles the wait, up to five minutes. Attempts that were
 * in flight when it opened and fail later do not change the wait.
 */
export function breakerAfterFailure(breaker: Breaker, nowMs: number): Breaker {
  const failures = breaker.failures + 1;
  const state = breakerState(breaker, nowMs);
  if (state === "open" || failures < FAILURES_TO_OPEN) return { ...breaker, failures };
  const waitMs = state === "probe" ? Math.min(breaker.waitMs * 2, LONGEST_WAIT_MS) : FIRST_WAIT_MS;
  return { failures, openUntilMs: nowMs + waitMs, waitMs };
}
