const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, … failed attempt: 11 waits, so 12 attempts. */
export const RETRY_DELAYS_MILLIS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/**
 * Failed attempts of one delivery. Attempts that the breaker held back and attempts that ended
 * `unknown` do not count.
 */
export const MAX_ATTEMPTS = RETRY_DELAYS_MILLIS.length + 1;

const JITTER = 0.2;

/**
 * When the next attempt is due after `failures` failed ones; null when none is left. `random` (0 ≤ r < 1) is
 * drawn once for each failure, and the result is stored as an absolute time.
 */
export function nextAttemptAt(
  failures: number,
  failedAtMillis: number,
  retryAfterMillis: number | null,
  random: number,
): number | null {
  const delay = RETRY_DELAYS_MILLIS[failures - 1];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  return failedAtMillis + Math.max(jittered, retryAfterMillis ?? 0);
}
