import { ConnectionError, RingfoldError } from "./errors.ts";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A longer Retry-After is reported to the caller at once. */
const MOST_RETRY_AFTER_MS = 60_000;

/** The service, or a proxy before it, failed; it is unknown whether the work was done. */
const FAILED = [500, 502, 503, 504];
/** Refused before anything was done. */
const TOO_MANY = 429;

/**
 * Milliseconds until a failed request may be sent again; null: never. `repeatable`: a second execution does
 * no harm. `failures`: earlier failures.
 */
export function retryDelay(error: unknown, repeatable: boolean, failures: number): number | null {
  if (error instanceof ConnectionError) return repeatable ? backoff(failures) : null;
  if (!(error instanceof RingfoldError)) return null;
  const { status, retryAfterMs } = error;
  if (status !== TOO_MANY && !(repeatable && FAILED.includes(status))) return null;
  if (retryAfterMs === null) return backoff(failures);
  return retryAfterMs > MOST_RETRY_AFTER_MS ? null : Math.max(retryAfterMs, backoff(failures));
}

/**
 * Doubles from 0.5 s to 8 s; a random part from half to all of it, so that clients do not
 * retry at the same time.
 */
export function backoff(failures: number): number {
  return Math.min(FIRST_MS * 2 ** failures, LONGEST_MS) * (0.5 + Math.random() / 2);
}

/** Rejects with the signal's reason if that comes first. */
export function pause(millis: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, millis);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}
