import { discardRest } from "./discard-rest.ts";
import { NoAnswerError } from "./waiting.ts";

/** The part of the client's read stream that is used. */
type Cancellable<E> = AsyncIterable<E> & {
  on(event: "error", listener: (error: Error) => void): unknown;
  destroy(error?: Error): unknown;
  cancel(): Promise<void>;
};

export type DrainLimits = {
  readonly what: string;
  /** Longest time without progress. */
  readonly idleMillis: number;
  readonly signal: AbortSignal;
};

/**
 * Passes on every element until the end or until `take` returns `stop`. In every case the call is cancelled
 * on the server and the stream destroyed: leaving a `for await` alone frees neither (fact 5).
 */
export async function drain<E>(
  stream: Cancellable<E>,
  limits: DrainLimits,
  take: (element: E) => "go_on" | "stop",
): Promise<void> {
  const abort = (): void => void stream.destroy(new Error(`${limits.what}: closed or aborted`));
  const watchdog = setTimeout(
    () => stream.destroy(new NoAnswerError(limits.what, limits.idleMillis)),
    limits.idleMillis,
  );
  discardRest(stream);
  // the loop below reports it; without a listener it would end the process
  stream.on("error", () => undefined);
  limits.signal.addEventListener("abort", abort, { once: true });
  try {
    if (limits.signal.aborted) abort();
    for await (const element of stream) {
      watchdog.refresh();
      if (take(element) === "stop") return;
    }
  } finally {
    clearTimeout(watchdog);
    limits.signal.removeEventListener("abort", abort);
    stream.cancel().catch(() => undefined); // rejects when there was no call
    stream.destroy();
  }
}
