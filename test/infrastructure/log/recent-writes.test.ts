import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type EventStore,
  type EventToAppend,
  START,
  type StoredEvent,
} from "../../../application/ports/event-store.ts";
import type { LogQuery } from "../../../infrastructure/log/postgres/query.ts";
import { createRecentWrites } from "../../../infrastructure/log/postgres/recent-writes.ts";
import type { AppendRequest } from "../../../infrastructure/log/postgres/requests.ts";
import { subscribe } from "../../../infrastructure/log/postgres/subscribe.ts";
import { createWakeUps } from "../../../infrastructure/log/postgres/wake-ups.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  type PostgresLogCluster,
  startPostgresLogCluster,
} from "../../support/event-store/postgres-log-cluster.ts";

const CREATED = "2026-09-01 10:00:00.12+00";

describe("what this process wrote last", () => {
  it("is told from right behind it, without a gap, as much as is asked for", () => {
    const recent = createRecentWrites();
    recent.add(0, CREATED, [append("a", 2)]);
    recent.add(2, CREATED, [append("b", 1), append("c", 1)]);
    expect(recent.after(0, 10)?.map(([position, stream]) => [position, stream])).toEqual([
      ["1", "a"],
      ["2", "a"],
      ["3", "b"],
      ["4", "c"],
    ]);
    expect(recent.after(1, 2)?.map(([position]) => position)).toEqual(["2", "3"]);
  });

  it("is unknown at its end, beyond it, and before it", () => {
    const recent = createRecentWrites();
    expect(recent.after(0, 10)).toBeNull();
    recent.add(7, CREATED, [append("a", 1)]);
    expect(recent.after(6, 10)).toBeNull();
    expect(recent.after(7, 10)).toHaveLength(1);
    expect(recent.after(8, 10)).toBeNull();
    expect(recent.after(9, 10)).toBeNull();
  });

  it("is let go when somebody else wrote in between", () => {
    const recent = createRecentWrites();
    recent.add(0, CREATED, [append("a", 2)]);
    recent.add(3, CREATED, [append("b", 1)]);
    expect(recent.after(0, 10)).toBeNull();
    expect(recent.after(2, 10)).toBeNull();
    expect(recent.after(3, 10)?.map(([position]) => position)).toEqual(["4"]);
  });

  it("is bounded", () => {
    const recent = createRecentWrites();
    for (let base = 0; base < 10_000; base += 100) recent.add(base, CREATED, [append("a", 100)]);
    expect(recent.after(0, 10)).toBeNull();
    expect(recent.after(9_900, 1_000)).toHaveLength(100);
    expect(recent.after(7_000, 10)).toBeNull();
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
      recent.add(base, CREATED, [append(`s${base}`, 1)]);
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
        store.append(`${name}-${written}-${index}`, "no_stream", [event(), event(), event()]),
      ),
    );
  }
}

function event(): EventToAppend {
  const data = { text: "Grüße \u{1F600}", nothing: null, list: [1.5, -0.25, 1e21], deep: { b: 2, a: 1 } };
  const correlationId = randomUUID();
  return {
    id: randomUUID().toUpperCase(),
    type: "Told",
    data,
    metadata: { owner: "own_1", actor: "test", correlationId, causationId: null, schemaVersion: 1 },
  };
}

function append(stream: string, count: number): AppendRequest {
  const events = Array.from({ length: count }, event);
  const json = events.map(({ data, metadata }) => ({
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  }));
  return { stream, expected: "no_stream", events, json, resolve: () => undefined, reject: () => undefined };
}
