import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EventStore, START, type StoredEvent } from "../../../application/ports/event-store.ts";
import type { LogQuery } from "../../../infrastructure/log/postgres/query.ts";
import { createRecentWrites, type Known } from "../../../infrastructure/log/postgres/recent-writes.ts";
import type { AppendRequest } from "../../../infrastructure/log/postgres/requests.ts";
import { subscribe } from "../../../infrastructure/log/postgres/subscribe.ts";
import { createWakeUps } from "../../../infrastructure/log/postgres/wake-ups.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { appendRequest, eventToAppend } from "../../support/event-store/append-requests.ts";
import {
  type PostgresLogCluster,
  startPostgresLogCluster,
} from "../../support/event-store/postgres-log-cluster.ts";

const CREATED = "2026-09-01 10:00:00.12+00";

describe("what this process wrote last", () => {
  const positionsOf = (known: Known) =>
    known.kind === "own" ? known.events.map(({ position }) => Number(position)) : known;

  it("is told from right behind it, without a gap, as much as is asked for", () => {
    const recent = createRecentWrites();
    const reader = recent.open();
    recent.add(0, CREATED, [appendRequest("a", 2)]);
    recent.add(2, CREATED, [appendRequest("b", 1), appendRequest("c", 1)]);
    expect(reader.behind(0, 10)).toMatchObject({
      kind: "own",
      events: [
        { position: "1", stream: "a", revision: 0, created: "2026-09-01T10:00:00.120Z" },
        { position: "2", stream: "a", revision: 1 },
        { position: "3", stream: "b", revision: 0 },
        { position: "4", stream: "c", revision: 0 },
      ],
    });
    expect(positionsOf(reader.behind(1, 2))).toEqual([2, 3]);
  });

  it("is nothing at its end and beyond it, and unknown before it", () => {
    const recent = createRecentWrites();
    const reader = recent.open();
    expect(reader.behind(0, 10)).toEqual({ kind: "none" });
    recent.add(7, CREATED, [appendRequest("a", 1)]);
    expect(reader.behind(6, 10)).toEqual({ kind: "asked", before: null });
    expect(positionsOf(reader.behind(7, 10))).toEqual([8]);
    expect(reader.behind(8, 10)).toEqual({ kind: "none" });
    expect(reader.behind(9, 10)).toEqual({ kind: "none" });
  });

  it("goes on behind what somebody else wrote in between, if that is worth a page", () => {
    const recent = createRecentWrites();
    const reader = recent.open();
    recent.add(0, CREATED, [appendRequest("a", 2)]);
    recent.add(3, CREATED, [appendRequest("b", 3)]);
    expect(positionsOf(reader.behind(0, 10))).toEqual([1, 2]);
    expect(reader.behind(2, 10)).toEqual({ kind: "asked", before: null });
    recent.add(6, CREATED, [appendRequest("c", 5)]);
    expect(reader.behind(2, 10)).toEqual({ kind: "asked", before: 4 });
    expect(positionsOf(reader.behind(3, 10))).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("is bounded in bytes, and the newest stays", () => {
    const recent = createRecentWrites(100_000);
    const reader = recent.open();
    for (let base = 0; base < 10_000; base += 100) recent.add(base, CREATED, [appendRequest("a", 100)]);
    expect(reader.behind(0, 10)).toEqual({ kind: "asked", before: 9_901 });
    expect(positionsOf(reader.behind(9_900, 1_000))).toHaveLength(100);
  });

  it("is kept for the readers that have not passed it, and for nobody else", () => {
    const recent = createRecentWrites();
    recent.add(0, CREATED, [appendRequest("a", 2)]);
    const slow = recent.open();
    expect(slow.behind(0, 10)).toEqual({ kind: "asked", before: null });
    const fast = recent.open();
    recent.add(2, CREATED, [appendRequest("a", 9)]);
    expect(fast.behind(11, 10)).toEqual({ kind: "none" });
    expect(positionsOf(slow.behind(2, 10))).toHaveLength(9);
    slow.close();
    expect(fast.behind(2, 10)).toEqual({ kind: "asked", before: null });
  });

  it("is forgotten when the database has gone back behind it", () => {
    const recent = createRecentWrites();
    const reader = recent.open();
    recent.add(0, CREATED, [appendRequest("a", 9)]);
    recent.add(4, CREATED, [appendRequest("b", 1)]);
    expect(reader.behind(3, 10)).toEqual({ kind: "asked", before: null });
    expect(positionsOf(reader.behind(4, 10))).toEqual([5]);
  });
});

describe("a subscription beside two processes that write", () => {
  let cluster: PostgresLogCluster;
  beforeAll(async () => {
    cluster = await startPostgresLogCluster();
  });
  afterAll(() => cluster.stop());

  it("delivers what the log holds, in its order and to the letter, whoever wrote it", async () => {
    const harness = await cluster.harness();
    const here = harness.open();
    const there = harness.open();
    const stop = new AbortController();
    const seen: StoredEvent[] = [];
    const total = 600;
    const following = follow(here, stop.signal, seen, total);
    await Promise.all([write(here, "here", total / 2), write(there, "there", total / 2)]);
    await following;
    stop.abort();
    const { events } = await there.readAll({ after: START, limit: total });
    expect(events).toHaveLength(total);
    expect(seen).toEqual(events);
  });
});

describe("a subscription that follows what its own process writes", () => {
  it("asks the database again only when others may have written", async () => {
    const recent = createRecentWrites();
    const wakeUps = createWakeUps();
    const stop = new AbortController();
    let asked = 0;
    const query: LogQuery = async () => {
      asked += 1;
      return [];
    };
    const batches = subscribe(
      { query, recent, wakeUps, logger: silentLogger },
      { after: START, signal: stop.signal },
      stop.signal,
    );
    const wrote = (base: number): void => {
      recent.add(base, CREATED, [appendRequest(`s${base}`, 1)]);
      wakeUps.raise(false);
    };
    expect((await batches.next()).value?.caughtUp).toBe(true);
    for (const base of [0, 1, 2]) {
      const next = batches.next();
      wrote(base);
      expect((await next).value?.events).toHaveLength(1);
    }
    expect(asked).toBe(1);
    const next = batches.next();
    wakeUps.raise(true);
    await eventually("the question", () => asked === 2);
    wrote(3);
    expect((await next).value?.events).toHaveLength(1);
    stop.abort();
  });
});

describe("how often a subscription reads what its own process wrote", () => {
  it("is never, also when a read has seen a write before its writer heard of it", async () => {
    const log = createLogOfRows();
    const stop = new AbortController();
    const seen: StoredEvent[] = [];
    const following = collect(log.follow(stop.signal), seen);
    log.commit(1);
    log.wakeUps.raise(true);
    await eventually("the first event", () => seen.length === 1);
    for (let written = 2; written <= 20; written += 1) {
      log.commit(1);
      log.hear(1);
      await eventually("all that was heard of", () => seen.length >= written - 1);
      await turns();
    }
    log.hear(1);
    await eventually("the last event", () => seen.length === 20);
    stop.abort();
    await following;
    expect(positions(seen)).toEqual(upTo(20));
    expect(log.rowsRead()).toBe(1);
  });

  it("is once behind a pause that was longer than the memory, then never again", async () => {
    const log = createLogOfRows(20_000);
    const stop = new AbortController();
    const batches = log.follow(stop.signal, 50);
    const seen: StoredEvent[] = [];
    const take = async () => seen.push(...((await batches.next()).value?.events ?? []));
    await take();
    log.write(500);
    let rounds = 0;
    for (; seen.length < log.length(); rounds += 1) {
      log.write(1);
      await take();
    }
    expect(rounds).toBeLessThan(15);
    expect(log.rowsRead()).toBeLessThanOrEqual(510);
    const before = log.rowsRead();
    for (let round = 0; round < 20; round += 1) {
      log.write(3);
      await take();
    }
    expect(log.rowsRead()).toBe(before);
    expect(positions(seen)).toEqual(upTo(log.length()));
    stop.abort();
  });

  it("is never when others write in between: only theirs is read", async () => {
    const log = createLogOfRows();
    const stop = new AbortController();
    const batches = log.follow(stop.signal);
    await batches.next();
    for (let round = 0; round < 5; round += 1) {
      log.write(10);
      log.commitOfOthers(1);
    }
    log.write(10);
    const seen: StoredEvent[] = [];
    const following = collect(batches, seen);
    await eventually("all events", () => seen.length === log.length());
    stop.abort();
    await following;
    expect(positions(seen)).toEqual(upTo(65));
    expect(log.rowsRead()).toBe(5);
  });
});

const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => Number(position));
const upTo = (count: number) => Array.from({ length: count }, (_each, index) => index + 1);

/** So long that a read of the database would have been answered. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function collect(
  batches: AsyncGenerator<{ readonly events: readonly StoredEvent[] }>,
  seen: StoredEvent[],
): Promise<void> {
  for await (const { events } of batches) seen.push(...events);
}

/** A log of rows: what is committed can be read; the process that wrote it hears of that later. */
function createLogOfRows(mostBytes?: number) {
  const recent = createRecentWrites(mostBytes);
  const wakeUps = createWakeUps();
  const rows: unknown[][] = [];
  const unheard: { readonly base: number; readonly request: AppendRequest }[] = [];
  let rowsRead = 0;
  const answer = (values: readonly unknown[]): unknown[][] => {
    const [after, limit, before] = values.map(Number);
    const found = rows.slice(after, before === undefined ? undefined : before - 1).slice(0, limit);
    rowsRead += found.length;
    const ends = [String(rows.length), String(Number.MAX_SAFE_INTEGER)] as const;
    const none = ["", "", "", "", "", {}, eventToAppend().metadata, "", null, ...ends];
    return found.length === 0 ? [none] : found.map((row) => [...row, "1", ...ends]);
  };
  const query = (async (_text: string, values: readonly unknown[]) => answer(values)) as unknown as LogQuery;
  const store = (request: AppendRequest): void => {
    request.events.forEach(({ id, type, data, metadata }, index) => {
      const position = String(rows.length + 1);
      rows.push([position, request.stream, String(index), id.toLowerCase(), type, data, metadata, CREATED]);
    });
  };
  const commit = (count: number): void => {
    const request = appendRequest(`s${rows.length}`, count);
    unheard.push({ base: rows.length, request });
    store(request);
  };
  const hear = (groups: number): void => {
    for (const { base, request } of unheard.splice(0, groups)) recent.add(base, CREATED, [request]);
    wakeUps.raise(false);
  };
  return {
    wakeUps,
    commit,
    hear,
    write(count: number): void {
      commit(count);
      hear(1);
    },
    commitOfOthers(count: number): void {
      store(appendRequest(`s${rows.length}`, count));
      wakeUps.raise(true);
    },
    length: () => rows.length,
    rowsRead: () => rowsRead,
    follow: (signal: AbortSignal, batchSize = 500) =>
      subscribe(
        { query, recent, wakeUps, logger: silentLogger },
        { after: START, signal, batchSize },
        signal,
      ),
  };
}

async function follow(
  store: EventStore,
  signal: AbortSignal,
  seen: StoredEvent[],
  total: number,
): Promise<void> {
  for await (const { events } of store.subscribe({ after: START, signal })) {
    seen.push(...events);
    if (seen.length >= total) return;
  }
}

/** Streams of three events, several at once. */
async function write(store: EventStore, name: string, total: number): Promise<void> {
  for (let written = 0; written < total; written += 30) {
    await Promise.all(
      Array.from({ length: 10 }, (_each, index) =>
        store.append(`${name}-${written}-${index}`, "no_stream", [
          eventToAppend(),
          eventToAppend(),
          eventToAppend(),
        ]),
      ),
    );
  }
}
