import { createFeed } from "../../../application/log/feed.ts";
import { type EventStore, type Position, START } from "../../../application/ports/event-store.ts";
import type { Feed, FeedBatch } from "../../../application/ports/feed.ts";
import type { LogFields } from "../../../application/ports/logger.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { appendBegins, codec } from "./log-of-calls.ts";

export type Line = { readonly fields: LogFields; readonly message: string };

/** Lets everything run that waits for no time. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * A feed of a log in memory whose time moves only when a test says so. Noted are the positions after
 * which it subscribed and after which it was read, what was logged, counted and parked. `wrap`: what
 * goes wrong with the log.
 */
export function followedLog({
  windowWeight,
  wrap = (log) => log,
}: {
  readonly windowWeight?: number;
  readonly wrap?: (log: EventStore) => EventStore;
} = {}) {
  const { clock, eventStore: memory } = memoryLog();
  const subscribed: { readonly after: Position; readonly signal: AbortSignal }[] = [];
  const reads: Position[] = [];
  const lines: Line[] = [];
  const counted: unknown[] = [];
  const parked: unknown[] = [];
  const note = (fields: LogFields, message: string) => void lines.push({ fields, message });
  const log = wrap(memory);
  const feed = createFeed({
    eventStore: {
      ...log,
      subscribe: (options) => {
        subscribed.push(options);
        return log.subscribe(options);
      },
      readAll: (options) => {
        reads.push(options.after);
        return log.readAll(options);
      },
    },
    codec,
    clock,
    logger: { ...silentLogger, warn: note, error: note },
    metrics: { ...silentMetrics, count: (name, labels) => void counted.push({ name, ...labels }) },
    parkDamaged: async ({ position }, problem) => void parked.push({ position, problem }),
    ...(windowWeight !== undefined && { windowWeight }),
  });
  let calls = 0;
  /** So many calls begin, each in a batch of its own. Answers the last position. */
  const append = async (count: number): Promise<Position> => {
    let last: Position = START;
    for (let call = 0; call < count; call += 1) {
      calls += 1;
      last = await appendBegins(memory, `${calls}`, 1);
      await settled();
    }
    return last;
  };
  const pass = async (millis: number) => {
    await settled();
    clock.advance(millis);
    await settled();
  };
  return { feed, memory, append, pass, subscribed, reads, lines, counted, parked };
}

/** A follower that takes a batch only when it is told to; null: it was told to stop. */
export function follower(feed: Feed, after: Position = START) {
  const stop = new AbortController();
  const batches = feed.follow({ after, signal: stop.signal, name: "slow" })[Symbol.asyncIterator]();
  const take = async (): Promise<FeedBatch | null> => {
    const next = await batches.next();
    return next.done === true ? null : next.value;
  };
  return { stop, take, leave: () => batches.return?.() };
}

/** A follower that takes every batch at once. */
export function eagerFollower(feed: Feed, after: Position = START) {
  const stop = new AbortController();
  const batches: FeedBatch[] = [];
  const done = (async () => {
    for await (const batch of feed.follow({ after, signal: stop.signal, name: "eager" })) batches.push(batch);
  })();
  return { stop, done, batches, positions: () => batches.flatMap(positionsOf) };
}

export function positionsOf(batch: FeedBatch | null): Position[] {
  return batch === null ? [] : batch.events.map(({ position }) => position);
}
