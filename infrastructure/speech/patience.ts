import { SpeechFailure, type SpeechFailureKind } from "./speech-failure.ts";

/**
 * The timeout of one answer: for its head, then for each part. The caller is told before
 * the request is closed.
 */
export type Patience = {
  /** Closes the request. */
  readonly signal: AbortSignal;
  /** Rejects when the work takes longer, or is cancelled. */
  within<Value>(millis: number, kind: SpeechFailureKind, work: Promise<Value>): Promise<Value>;
  /** Closes what is still open. */
  end(): void;
};

export function patienceOf(wanted: AbortSignal): Patience {
  const line = new AbortController();
  const givenUp = Promise.withResolvers<never>();
  givenUp.promise.catch(() => undefined);
  const giveUp = (failure: SpeechFailure) => {
    givenUp.reject(failure);
    line.abort();
  };
  const onAbort = () => giveUp(new SpeechFailure("aborted", "It is no longer wanted"));
  if (wanted.aborted) onAbort();
  else wanted.addEventListener("abort", onAbort, { once: true });
  return {
    signal: line.signal,
    async within(millis, kind, work) {
      work.catch(() => undefined);
      const late = () => giveUp(new SpeechFailure(kind, `The speech server sent nothing for ${millis} ms`));
      const timer = setTimeout(late, millis);
      try {
        return await Promise.race([givenUp.promise, work]);
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => {
      wanted.removeEventListener("abort", onAbort);
      line.abort();
    },
  };
}
