import { type AllStreamResolvedEvent, streamNameFilter } from "@eventstore/db-client";
import type { Position } from "../../../application/ports/event-store.ts";
import type { Connection } from "./connection.ts";
import { discardRest } from "./discard-rest.ts";
import { encodePosition } from "./positions.ts";
import { fromOf } from "./read-all.ts";
import { NoAnswerError } from "./waiting.ts";

export type SubscriptionSourceOptions = {
  readonly after: Position;
  readonly batchSize: number;
  readonly signal: AbortSignal;
  /** Only the leader knows the end of the log; another node may be behind (default: any node). */
  readonly requiresLeader?: boolean;
};

/** A subscription of the client, pull-based. */
export interface SubscriptionSource {
  /** The next element, or undefined if none is ready. */
  take(): AllStreamResolvedEvent | undefined;
  /** The last server checkpoint before which every element was taken; each is returned once. */
  passedMark(): Position | undefined;
  /** The server has reported the end of the log, and every element was taken. */
  live(): boolean;
  /** The error that broke it; earlier elements can still be taken. */
  failure(): unknown;
  /** Resolves when one of these may have changed. */
  changed(): Promise<void>;
  close(): void;
}

/** Foreign and system events between two server checkpoints (it counts in windows of 32). */
const CHECKPOINT_INTERVAL = 4;
/** The most elements in each of the client's two buffers: bounds the memory when the consumer is slow. */
const BUFFERED = 128;

/** A place in the sequence of elements, reached when that many were taken. */
type Mark = { readonly at: number; readonly position: Position };

/**
 * The client's stream, pull-based; its out-of-band events are tied to their place among
 * the elements (fact 7).
 */
export function openSubscriptionSource(
  connection: Connection,
  run: SubscriptionSourceOptions,
): SubscriptionSource {
  const marks: Mark[] = [];
  let taken = 0;
  let confirmed = false;
  let caughtUp = false;
  let failure: unknown;
  let wake: () => void = () => undefined;
  const subscription = connection.client.subscribeToAll(
    {
      fromPosition: fromOf(run.after),
      requiresLeader: run.requiresLeader ?? false,
      filter: streamNameFilter({
        prefixes: [connection.prefix],
        checkpointInterval: CHECKPOINT_INTERVAL,
        checkpointReached: (_subscription, position) => {
          marks.push({ at: place(), position: encodePosition(position) });
          wake();
        },
      }),
    },
    { highWaterMark: Math.min(run.batchSize, BUFFERED) },
  );
  discardRest(subscription);
  const place = (): number => taken + subscription.readableLength;
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };
  subscription.on("error", fail);
  subscription.on("end", () => fail(new Error("the server ended the subscription")));
  subscription.on("close", () => fail(new Error("the subscription was closed")));
  subscription.on("readable", () => wake());
  subscription.on("confirmation", () => {
    confirmed = true;
    wake();
  });
  subscription.on("caughtUp", () => {
    caughtUp = true;
    wake();
  });
  subscription.on("fellBehind", () => {
    caughtUp = false;
  });
  const abort = (): void => wake();
  run.signal.addEventListener("abort", abort);

  /** Elements that the server sent before may still be in the buffer (fact 7). */
  const live = (): boolean => caughtUp && subscription.readableLength === 0;
  return {
    live,
    failure: () => failure,
    take(): AllStreamResolvedEvent | undefined {
      const element: AllStreamResolvedEvent | null = subscription.read();
      if (element === null) return undefined;
      taken += 1;
      return element;
    },

    passedMark(): Position | undefined {
      let passed: Position | undefined;
      while (marks[0] !== undefined && marks[0].at <= taken) passed = marks.shift()?.position;
      return passed;
    },
    /**
     * While catching up, silence is a failure. Live it is not; the channel's keepalive
     * finds a dead connection.
     */
    async changed(): Promise<void> {
      if (failure !== undefined || run.signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const limit = connection.attemptTimeoutMs;
      const silent = (): void =>
        fail(new NoAnswerError(confirmed ? "the history" : "the subscription", limit));
      const timer = live() ? undefined : setTimeout(silent, limit);
      await promise;
      clearTimeout(timer);
    },
    close(): void {
      run.signal.removeEventListener("abort", abort);
      subscription.unsubscribe().catch(() => undefined); // rejects when there was no call
      subscription.destroy();
    },
  };
}
