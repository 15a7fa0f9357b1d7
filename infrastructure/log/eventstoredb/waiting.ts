/**
 * No answer in time: the client has no timeouts of its own for reads, subscriptions and connecting (fact 3).
 */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";

  constructor(what: string, millis: number) {
    super(`no answer to ${what} within ${millis} ms`);
  }
}

/**
 * The result of the work, or a rejection after `millis` or when `signal` aborts; the work then goes on and
 * its result is ignored.
 */
export async function answeredWithin<T>(
  what: string,
  millis: number,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoAnswerError(what, millis)), millis);
  const abort = (): void => reject(new Error(`${what}: closed`));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
