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
  /** Only the leader knows the end of the log; another node may be behind it (default: any node). */
  readonly requiresLeader?: boolean;
};

/** A subscription of the client, pulled. */
export interface SubscriptionSource {
  /** The next element, or undefined when none is there yet. */
  take(): AllStreamResolvedEvent | undefined;
  /** The last checkpoint before which nothing is left to be taken; each is told once. */
  passedMark(): Position | undefined;
  /** The server said that this was all, and nothing waits to be taken. */
  live(): boolean;
  /** What broke it; elements that came before may still be taken. */
  failure(): unknown;
  /** Resolves when any of these may have changed. */
  changed(): Promise<void>;
  close(): void;
}

/** Foreign and system events between two checkpoints of the server (it counts in windows of 32). */
const CHECKPOINT_INTERVAL = 4;
/** Elements that wait in each of the client's two buffers at the most: bounds memory when the consumer is slow. */
const BUFFERED = 128;

/** A place in the stream of elements: reached when that many have been taken. */
type Mark = { readonly at: number; readonly position: Position };

/** The client's stream, pulled; its out-of-band events are tied to the place in the stream at which they came (fact 7). */
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

  /** What the server sent before it said so may still wait in the buffer (fact 7). */
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
    /** While it is catching up silence is a failure; live it is not, and a dead connection is found by the channel's keepalive. */
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
      subscription.unsubscribe().catch(() => undefined); // rejects when there never was a call
      subscription.destroy();
    },
  };
}
