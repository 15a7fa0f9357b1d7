import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFeed } from "../../../application/log/feed.ts";
import { type EventStore, START, type StoredEvent } from "../../../application/ports/event-store.ts";
import type { Feed } from "../../../application/ports/feed.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { appendBegins, codec } from "./log-of-calls.ts";

let log: EventStore;
let subscriptions: number;
/** What each subscription asks whether it is awaited. */
let awaited: (() => boolean)[];
let parked: StoredEvent[];
let stop: AbortController;

beforeEach(() => {
  const memory = memoryLog({ clock: systemClock }).eventStore;
  subscriptions = 0;
  awaited = [];
  parked = [];
  stop = new AbortController();
  log = {
    ...memory,
    subscribe: (options) => {
      subscriptions += 1;
      awaited.push(options.isAwaited ?? (() => false));
      return memory.subscribe(options);
    },
  };
});

afterEach(() => stop.abort());

function feedOf(windowWeight = 1_000): Feed {
  const parkDamaged = async (stored: StoredEvent) => void parked.push(stored);
  return createFeed({
    eventStore: log,
    codec,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    parkDamaged,
    windowWeight,
  });
}

/** Follows and collects positions; `pause` runs before each batch is taken. */
function collect(feed: Feed, after = START, pause: () => Promise<unknown> = async () => undefined): string[] {
  const positions: string[] = [];
  void (async () => {
    for await (const batch of feed.follow({ after, signal: stop.signal, name: "test" })) {
      await pause();
      positions.push(...batch.events.map(({ position }) => position));
    }
  })();
  return positions;
}

const has = (positions: string[], count: number) =>
  eventually(`${count} events, not ${positions.length}`, () => positions.length >= count);
const inOrder = (positions: string[]) =>
  positions.every(
    (position, index) => index === 0 || log.comparePositions(positions[index - 1] ?? START, position) < 0,
  );

describe("the feed", () => {
  it("delivers what is there and what comes, to all of them, over one subscription", async () => {
    await appendBegins(log, "a", 10);
    const feed = feedOf();
    const [first, second] = [collect(feed), collect(feed)];
    await has(first, 10);
    await appendBegins(log, "b", 5);
    await Promise.all([has(first, 15), has(second, 15)]);
    expect(second).toEqual(first);
    expect(inOrder(first)).toBe(true);
    expect(subscriptions).toBe(1);
  });

  it("says that its events are awaited while one of those who follow is awaited", async () => {
    const feed = feedOf();
    let isAwaited = false;
    const options = { after: START, signal: stop.signal };
    collect(feed);
    void feed.follow({ ...options, name: "awaited", isAwaited: () => isAwaited })[Symbol.asyncIterator]();
    expect(awaited.map((ask) => ask())).toEqual([false]);
    isAwaited = true;
    expect(awaited.map((ask) => ask())).toEqual([true]);
  });

  it("begins after the given position, also in the middle of a batch", async () => {
    await appendBegins(log, "a", 10);
    const feed = feedOf();
    const all = collect(feed);
    await has(all, 10);
    const late = collect(feed, all[3]);
    await has(late, 6);
    expect(late).toEqual(all.slice(4));
  });

  it("lets a follower that is far ahead not wait for one that is behind", async () => {
    await appendBegins(log, "a", 3_000);
    const head = await log.head();
    const feed = feedOf();
    const behind = collect(feed);
    const ahead = collect(feed, head);
    await appendBegins(log, "b", 1);
    await Promise.all([has(ahead, 1), has(behind, 3_001)]);
    expect(ahead).toEqual(behind.slice(-1));
    expect(inOrder(behind)).toBe(true);
  });

  it("leaves a slow follower behind with bounded memory; it misses nothing", async () => {
    const feed = feedOf(50);
    const gate = Promise.withResolvers<void>();
    const [quick, slow] = [collect(feed), collect(feed, START, () => gate.promise)];
    for (let round = 0; round < 40; round += 1) await appendBegins(log, "a", 10, round * 10);
    await has(quick, 400);
    gate.resolve();
    await has(slow, 400);
    expect(slow).toEqual(quick);
  });

  it("tells a follower that came to the end by itself that it is there", async () => {
    const feed = feedOf(1);
    const first = collect(feed);
    for (let round = 0; round < 5; round += 1) {
      await appendBegins(log, "a", 10, round * 10);
      await has(first, (round + 1) * 10);
    }
    let events = 0;
    for await (const batch of feed.follow({ after: START, signal: stop.signal, name: "late" })) {
      events += batch.events.length;
      if (batch.caughtUp) break;
    }
    expect(events).toBe(50);
  });

  it("passes over a damaged event, names it, and skips a type that it does not know", async () => {
    const metadata = {
      correlationId: "c",
      causationId: null,
      actor: "test",
      owner: "usr_1",
      schemaVersion: 1,
    };
    await log.append("call-x", "no_stream", [
      { id: systemIds.uuid(), type: "CallRinging", data: { nonsense: true }, metadata },
      { id: systemIds.uuid(), type: "FromTheFuture", data: {}, metadata },
    ]);
    await appendBegins(log, "a", 1);
    const positions = collect(feedOf());
    await has(positions, 1);
    expect(parked.map(({ type }) => type)).toEqual(["CallRinging"]);
    expect(positions).toHaveLength(1);
  });

  it("ends promptly, and its subscription with the last follower", async () => {
    const feed = feedOf();
    const iterator = feed.follow({ after: START, signal: stop.signal, name: "test" })[Symbol.asyncIterator]();
    const next = iterator.next();
    stop.abort();
    expect((await next).done).toBe(true);
    stop = new AbortController();
    const again = collect(feed);
    await appendBegins(log, "a", 1);
    await has(again, 1);
    expect(subscriptions).toBe(2);
  });

  it("does not ask again and again for what lies between two positions of others", async () => {
    let reads = 0;
    const { readAll } = log;
    log = {
      ...log,
      readAll: (options) => {
        reads += 1;
        return readAll(options);
      },
    };
    const feed = feedOf();
    collect(feed, "7");
    const behind = collect(feed);
    await appendBegins(log, "a", 8);
    await has(behind, 8);
    expect(reads).toBeLessThan(5);
  });

  it("goes on when the subscription breaks", async () => {
    let broken = false;
    const { subscribe } = log;
    log = {
      ...log,
      subscribe: (options) => {
        if (broken) return subscribe(options);
        broken = true;
        throw new Error("the connection broke");
      },
    };
    await appendBegins(log, "a", 2);
    const positions = collect(feedOf());
    await has(positions, 2);
  });
});
