import { ModelFailure, type ModelLimits } from "../../../application/ports/language-model.ts";

/**
 * Waits for one answer. The SDK's own limit ends with the head of the answer, and it ends an aborted stream as if it were over: so both are
 * judged here, and whoever waits is told before the request is closed.
 */
export type Patience = {
  /** Closes the request. */
  readonly signal: AbortSignal;
  /** From now on so long, in place of what was allowed before. */
  allow(millis: number, failure: () => ModelFailure): void;
  /** Nobody waits for the server now. */
  rest(): void;
  /** Rejects when patience ends first. */
  await<Value>(work: Promise<Value>): Promise<Value>;
  /** The request is closed unless its answer was read to the end; its connection may then be used again. */
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
