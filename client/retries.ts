import { ConnectionError, RingfoldError } from "./errors.ts";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A client that is told to come back later than this hears of it at once. */
const MOST_RETRY_AFTER_MS = 60_000;

/** The service, or a proxy before it, failed; whether it did what it was asked is not known. */
const FAILED = [500, 502, 503, 504];
/** Refused before anything was done. */
const TOO_MANY = 429;

/**
 * Milliseconds until a request that failed may be sent again; null: it is not. `repeatable`: to do it twice is as good as once. `failures`: how often
 * it has failed before.
 */
export function retryDelay(error: unknown, repeatable: boolean, failures: number): number | null {
  if (error instanceof ConnectionError) return repeatable ? backoff(failures) : null;
  if (!(error instanceof RingfoldError)) return null;
  const { status, retryAfterMs } = error;
  if (status !== TOO_MANY && !(repeatable && FAILED.includes(status))) return null;
  if (retryAfterMs === null) return backoff(failures);
  return retryAfterMs > MOST_RETRY_AFTER_MS ? null : Math.max(retryAfterMs, backoff(failures));
}

/** Doubles from 0.5 s to 8 s; of that a random half to whole, so that many clients do not come back together. */
export function backoff(failures: number): number {
  return Math.min(FIRST_MS * 2 ** failures, LONGEST_MS) * (0.5 + Math.random() / 2);
}

/** Rejects with the signal's reason when that comes first. */
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
