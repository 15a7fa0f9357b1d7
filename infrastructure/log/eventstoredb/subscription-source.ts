import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  streamNameFilter,
} from "@eventstore/db-client";
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

export function openSubscriptionSource(
  connection: Connection,
  run: SubscriptionSourceOptions,
): SubscriptionSource {
  return new PulledSubscription(connection, run);
}

/**
 * The client's stream, pull-based; its out-of-band events are tied to their place among
 * the elements (fact 7).
 */
class PulledSubscription implements SubscriptionSource {
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #subscription: AllStreamSubscription;
  readonly #marks: Mark[] = [];
  readonly #abort = (): void => this.#wake();
  #taken = 0;
  #confirmed = false;
  #caughtUp = false;
  #failure: unknown;
  #wake: () => void = () => undefined;

  constructor(connection: Connection, run: SubscriptionSourceOptions) {
    this.#limit = connection.attemptTimeoutMillis;
    this.#signal = run.signal;
    this.#subscription = connection.client.subscribeToAll(
      {
        fromPosition: fromOf(run.after),
        requiresLeader: run.requiresLeader ?? false,
        filter: streamNameFilter({
          prefixes: [connection.prefix],
          checkpointInterval: CHECKPOINT_INTERVAL,
          checkpointReached: (_subscription, position) => {
            const at = this.#taken + this.#subscription.readableLength;
            this.#marks.push({ at, position: encodePosition(position) });
            this.#wake();
          },
        }),
      },
      { highWaterMark: Math.min(run.batchSize, BUFFERED) },
    );
    discardRest(this.#subscription);
    this.#listen();
    run.signal.addEventListener("abort", this.#abort);
  }

  #listen(): void {
    const subscription = this.#subscription;
    subscription.on("error", (error) => this.#fail(error));
    subscription.on("end", () => this.#fail(new Error("the server ended the subscription")));
    subscription.on("close", () => this.#fail(new Error("the subscription was closed")));
    subscription.on("readable", () => this.#wake());
    subscription.on("confirmation", () => {
      this.#confirmed = true;
      this.#wake();
    });
    subscription.on("caughtUp", () => {
      this.#caughtUp = true;
      this.#wake();
    });
    subscription.on("fellBehind", () => {
      this.#caughtUp = false;
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake();
  }

  take(): AllStreamResolvedEvent | undefined {
    const element: AllStreamResolvedEvent | null = this.#subscription.read();
    if (element === null) return undefined;
    this.#taken += 1;
    return element;
  }

  passedMark(): Position | undefined {
    const marks = this.#marks;
    let passed: Position | undefined;
    while (marks[0] !== undefined && marks[0].at <= this.#taken) passed = marks.shift()?.position;
    return passed;
  }

  /** Elements that the server sent before may still be in the buffer (fact 7). */
  live(): boolean {
    return this.#caughtUp && this.#subscription.readableLength === 0;
  }

  failure(): unknown {
    return this.#failure;
  }

  /**
   * While catching up, silence is a failure. Live it is not; the channel's keepalive finds a dead connection.
   */
  async changed(): Promise<void> {
    if (this.#failure !== undefined || this.#signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const silent = (): void =>
      this.#fail(new NoAnswerError(this.#confirmed ? "the history" : "the subscription", this.#limit));
    const timer = this.live() ? undefined : setTimeout(silent, this.#limit);
    await promise;
    clearTimeout(timer);
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#abort);
    this.#subscription.unsubscribe().catch(() => undefined); // rejects when there was no call
    this.#subscription.destroy();
  }
}
