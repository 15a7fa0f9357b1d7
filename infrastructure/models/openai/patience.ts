import { ModelFailure, type ModelLimits } from "../../../application/ports/language-model.ts";

/**
 * The timeout of one answer. The SDK's own timeout ends with the head of the answer, and it treats an aborted
 * stream as a complete one. So both are handled here, and the caller is told before the request is closed.
 */
export type Patience = {
  /** Closes the request. */
  readonly signal: AbortSignal;
  /** Sets a new timeout from now on. */
  allow(millis: number, failure: () => ModelFailure): void;
  /** Stops the timer: nobody waits for the server now. */
  rest(): void;
  /** Rejects at the timeout. */
  await<Value>(work: Promise<Value>): Promise<Value>;
  /** Closes the request unless its answer was read to the end; then its connection can be used again. */
  end(wasReadWhole: boolean): void;
};

export function patienceOf({ signal }: Pick<ModelLimits, "signal">): Patience {
  const line = new AbortController();
  const givenUp = Promise.withResolvers<never>();
  givenUp.promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (failure: ModelFailure): void => {
    givenUp.reject(failure);
    line.abort();
  };
  const onAbort = () => giveUp(new ModelFailure("aborted", "The answer is no longer wanted"));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const rest = () => clearTimeout(timer);
  return {
    signal: line.signal,
    allow(millis, failure) {
      rest();
      timer = setTimeout(() => giveUp(failure()), millis);
    },
    rest,
    await(work) {
      work.catch(() => undefined);
      return Promise.race([givenUp.promise, work]);
    },
    end(wasReadWhole) {
      rest();
      signal.removeEventListener("abort", onAbort);
      if (!wasReadWhole) line.abort();
    },
  };
}
