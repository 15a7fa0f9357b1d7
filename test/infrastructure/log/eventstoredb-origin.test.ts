import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFeed } from "../../../application/log/feed.ts";
import { type EventStore, START } from "../../../application/ports/event-store.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import type { OriginMemory } from "../../../infrastructure/log/eventstoredb/connection.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/log/eventstoredb/event-store.ts";
import { postgresLogOrigins } from "../../../infrastructure/postgres/log-origins.ts";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import type { ReadSchema } from "../../../projections/engine/read-schema.ts";
import { createReadModels, readModelsFor } from "../../../projections/read-models.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { createTestCodec } from "../../../simulation/memory/subject-keys.ts";
import { followToPresent } from "../../contracts/event-store/following.ts";
import { migratedDatabase } from "../../support/database.ts";
import { rememberedOrigin } from "../../support/eventstoredb/event-store-harness.ts";
import { exampleEvents } from "../../support/eventstoredb/example-events.ts";
import { addForeignEvents } from "../../support/eventstoredb/foreign-events.ts";
import { createRecordingLogger } from "../../support/eventstoredb/recording-logger.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";

const FOREIGN = 20_000;
/**
 * Far fewer than others have written; the server's checkpoints and what is under way when a read is
 * ended count as well.
 */
const FEW = FOREIGN / 2;

let server: EventStoreDbServer;
let opened: EventStore[];

beforeEach(async () => {
  server = await startEventStoreDbServer();
  opened = [];
  addForeignEvents(server.log, FOREIGN);
});
afterEach(async () => {
  for (const store of opened) await store.close();
  await server.stop();
});

function open(origin?: OriginMemory, url = server.url): EventStore {
  const store = createEventStoreDbEventStore(createRecordingLogger(), {
    url,
    prefix: "ringfold-",
    ...(origin && { origin }),
  });
  opened.push(store);
  return store;
}

/** How many messages the server sends meanwhile. */
async function sentDuring<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly sent: number }> {
  const before = server.counts.sent;
  const answer = await work();
  return { answer, sent: server.counts.sent - before };
}

describe("a log that others have filled", () => {
  it("is read from the first event of ours on", async () => {
    await open().append("call-1", "no_stream", exampleEvents(3));
    const { answer, sent } = await sentDuring(() => open().readAll({ after: START, limit: 10 }));
    expect(answer).toMatchObject({
      events: [{ revision: 0 }, { revision: 1 }, { revision: 2 }],
      atEnd: true,
    });
    expect(sent).toBeLessThan(FEW);
  });

  it("is passed over where nothing of ours stands yet, and shows what comes then", async () => {
    const store = open();
    const { answer, sent } = await sentDuring(async () => ({
      page: await store.readAll({ after: START, limit: 10 }),
      head: await store.head(),
    }));
    expect(answer).toMatchObject({ page: { events: [], atEnd: true }, head: START });
    expect(sent).toBeLessThan(FEW);
    await open().append("call-1", "no_stream", exampleEvents(2));
    expect(await followToPresent(store)).toHaveLength(2);
    expect((await store.readAll({ after: START, limit: 10 })).events).toHaveLength(2);
  });

  it("has a head that is found without reading all that others wrote since, and found again at once", async () => {
    const { position } = await open().append("call-1", "no_stream", exampleEvents(2));
    addForeignEvents(server.log, 5 * FOREIGN);
    const store = open();
    await store.readAll({ after: START, limit: 1 }); // knows the first event from now on
    const before = server.counts.readOfLeader;
    const first = await sentDuring(() => store.head());
    // The look back and the look forward: another node than the leader may not have the last event yet.
    expect(server.counts.readOfLeader - before).toBe(2);
    expect(first.answer).toBe(position);
    expect(first.sent).toBeLessThan(5 * FEW);
    const again = await sentDuring(() => store.head());
    expect(again).toEqual({ answer: position, sent: expect.any(Number) });
    expect(again.sent).toBeLessThan(100);
    const later = await open().append("call-2", "no_stream", exampleEvents(1));
    expect(await store.head()).toBe(later.position);
  });

  it("is not read again where a look for the head found nothing of ours", async () => {
    const { position } = await open().append("call-1", "no_stream", exampleEvents(2));
    addForeignEvents(server.log, FOREIGN);
    const store = open();
    await store.head();
    const { answer, sent } = await sentDuring(() => store.readAll({ after: position, limit: 10 }));
    expect(answer).toMatchObject({ events: [], atEnd: true });
    expect(sent).toBeLessThan(1_000);
  });
});

describe("the place of the first event", () => {
  it("is remembered in the database for the next process", async () => {
    const database = await migratedDatabase();
    try {
      const logger = createRecordingLogger();
      await open(postgresLogOrigins(database.pool, logger)).append("call-1", "no_stream", exampleEvents(1));
      await open(postgresLogOrigins(database.pool, logger)).head();
      const next = open(postgresLogOrigins(database.pool, logger));
      const { answer, sent } = await sentDuring(() => next.readAll({ after: START, limit: 10 }));
      expect(answer.events).toHaveLength(1);
      expect(sent).toBeLessThan(100);
    } finally {
      await database.drop();
    }
  });

  it("is searched again in another log, where other events stand at it", async () => {
    const memory = rememberedOrigin();
    await open(memory).append("call-1", "no_stream", exampleEvents(1));
    await open(memory).readAll({ after: START, limit: 1 });
    const another = await startEventStoreDbServer();
    try {
      await open(undefined, another.url).append("call-9", "no_stream", exampleEvents(4));
      addForeignEvents(another.log, FOREIGN + 1_000);
      const { events } = await open(memory, another.url).readAll({ after: START, limit: 10 });
      expect(events).toHaveLength(4);
    } finally {
      await another.stop();
    }
  });

  it("costs only the search where the database cannot keep it", async () => {
    const database = await migratedDatabase();
    try {
      await database.pool.query("drop table work.log_origins");
      const store = open(postgresLogOrigins(database.pool, createRecordingLogger()));
      await store.append("call-1", "no_stream", exampleEvents(1));
      expect((await store.readAll({ after: START, limit: 10 })).events).toHaveLength(1);
    } finally {
      await database.drop();
    }
  });
});

describe("read models that are built for the first time", () => {
  it.each([
    ["nothing of ours", 0],
    ["our events between those of others", 3],
  ])("read the log once for all, and not what others wrote (%s)", async (_what, ours) => {
    const database = await migratedDatabase();
    const stop = new AbortController();
    try {
      if (ours > 0) await open().append("call-1", "no_stream", exampleEvents(ours));
      addForeignEvents(server.log, FOREIGN);
      const eventStore = open(postgresLogOrigins(database.pool, createRecordingLogger()));
      const ports = { eventStore, codec: createTestCodec(), clock: systemClock, logger: silentLogger };
      const feed = createFeed({ ...ports, metrics: silentMetrics, parkDamaged: async () => undefined });
      const deps = { ...ports, db: kyselyOn<ReadSchema>(database.pool), feed };
      const models = createReadModels(
        { ...deps, metrics: silentMetrics },
        readModelsFor("esdb://", eventStore),
      );
      const { sent } = await sentDuring(async () => {
        void models.run(stop.signal);
        await eventually(
          "all follow",
          () => models.status().every(({ state }) => state === "following"),
          60_000,
        );
        await models.positions.waitFor(await eventStore.head(), 60_000);
      });
      expect(sent).toBeLessThan(FOREIGN);
    } finally {
      stop.abort();
      await Promise.all(opened.map((store) => store.close()));
      await database.drop();
    }
  });
});
