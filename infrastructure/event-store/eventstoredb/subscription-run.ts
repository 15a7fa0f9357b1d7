import { type AllStreamResolvedEvent, streamNameFilter } from "@eventstore/db-client";
import type {
  EventFilter,
  Position,
  StoredEvent,
  SubscriptionBatch,
} from "../../../application/ports/event-store.ts";
import { matchesFilter } from "../event-filter.ts";
import type { Connection } from "./connection.ts";
import { ForeignPositionError } from "./failures.ts";
import { comparePositions, encodePosition } from "./positions.ts";
import { fromOf } from "./read-all.ts";
import { isOurs, toStoredEvent } from "./stored-event.ts";
import { NoAnswerError } from "./waiting.ts";

export type SubscriptionRun = {
  readonly after: Position;
  readonly filter: EventFilter | undefined;
  readonly batchSize: number;
  readonly signal: AbortSignal;
};

/** Foreign and system events between two checkpoints of the server (it counts in windows of 32). */
const CHECKPOINT_INTERVAL = 4;
/** Elements that wait in each of the client's two buffers at the most: bounds memory when the consumer is slow. */
const BUFFERED = 128;

/** A place in the stream of elements: reached when that many have been taken. */
type Mark = { readonly at: number; readonly position: Position };

/**
 * One subscription until it breaks (it rejects) or the signal aborts. The server filters by our prefix; categories, types and owners are
 * filtered here, so that every event of ours moves the position. Nothing is read from the socket while the consumer works on a batch, beyond what is buffered.
 */
export async function* openSubscription(
  connection: Connection,
  run: SubscriptionRun,
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  const source = openSource(connection, run);
  let position = run.after;
  let told = false;
  try {
    while (!run.signal.aborted) {
      const batch = await takeBatch(source, connection.prefix, run, position);
      const live = source.live();
      if (batch.position !== position || live !== told) {
        position = batch.position;
        told = live;
        yield { events: batch.events, position, caughtUp: live };
      } else if (source.failure() !== undefined) {
        throw source.failure();
      } else {
        await source.changed();
      }
    }
  } finally {
    source.close();
  }
}

type Source = ReturnType<typeof openSource>;
type Batch = { readonly events: StoredEvent[]; position: Position };

/** Everything that is there, and what each further turn of the event loop brings: messages arrive one by one, and a batch costs its consumer a commit. */
async function takeBatch(
  source: Source,
  prefix: string,
  run: SubscriptionRun,
  after: Position,
): Promise<Batch> {
  const batch: Batch = { events: [], position: after };
  let room = run.batchSize;
  for (let taken = -1; taken !== 0 && room > 0; room -= taken) {
    if (taken > 0) await new Promise((resolve) => setImmediate(resolve));
    taken = takeReady(source, prefix, run, batch, room);
  }
  const mark = source.passedMark();
  if (mark !== undefined && comparePositions(mark, batch.position) > 0) batch.position = mark;
  return batch;
}

/** Moves what is ready into the batch; returns how many elements that were. */
function takeReady(source: Source, prefix: string, run: SubscriptionRun, batch: Batch, room: number): number {
  for (let count = 0; count < room; count += 1) {
    const event = source.take()?.event;
    if (event === undefined) return count;
    if (event.position === undefined) continue;
    const at = encodePosition(event.position);
    if (comparePositions(at, batch.position) <= 0) throw new ForeignPositionError(run.after); // fact 11: below what was asked for
    batch.position = at;
    if (!isOurs(prefix, event)) continue;
    const stored = toStoredEvent(prefix, event);
    if (matchesFilter(stored, run.filter)) batch.events.push(stored);
  }
  return room;
}

/** The client's stream, pulled; its out-of-band events are tied to the place in the stream at which they came (fact 7). */
function openSource(connection: Connection, run: SubscriptionRun) {
  const marks: Mark[] = [];
  let taken = 0;
  let confirmed = false;
  let caughtUp = false;
  let failure: unknown;
  let wake: () => void = () => undefined;
  const subscription = connection.client.subscribeToAll(
    {
      fromPosition: fromOf(run.after),
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
    /** The last checkpoint before which nothing is left to be taken. */
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
