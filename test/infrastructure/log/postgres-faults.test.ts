import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type EventStore, START } from "../../../application/ports/event-store.ts";
import { createPostgresEventStore } from "../../../infrastructure/log/postgres/event-store.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  exampleEvent,
  exampleEvents,
  freshStream,
  idsOf,
} from "../../contracts/event-store/example-events.ts";
import { followEvents } from "../../contracts/event-store/following.ts";
import { migratedDatabase } from "../../support/database.ts";
import { startCuttingProxy } from "../../support/event-store/cutting-proxy.ts";
import type { TestDatabase } from "../../support/postgres.ts";

const APPEND_LOCK = 5_928_221_532;

let database: TestDatabase;
let store: EventStore;
beforeEach(async () => {
  database = await migratedDatabase();
  store = open({ connectionString: database.connectionString });
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

function open(connection: pg.ClientConfig): EventStore {
  return createPostgresEventStore(silentLogger, { connection });
}

/** Appends wait until `release`, so that those sent meanwhile are written as one group. */
async function holdAppends(): Promise<{ readonly release: () => Promise<void> }> {
  const holder = new pg.Client(database.connectionString);
  await holder.connect();
  await holder.query("select pg_advisory_lock($1)", [APPEND_LOCK]);
  const first = store.append(freshStream(), "no_stream", exampleEvents(1));
  await eventually("an append to wait for the lock", () => waitingWriters());
  return {
    async release() {
      await holder.end();
      await first;
    },
  };
}

async function waitingWriters(): Promise<number> {
  const { rows } = await database.pool.query<{ pid: number }>(
    "select pid from pg_locks where locktype = 'advisory' and not granted",
  );
  return rows.length;
}

it("answers each append of a group by its own expectation", async () => {
  const [taken, fresh, known] = [freshStream(), freshStream(), freshStream()];
  const repeated = exampleEvents(2);
  await store.append(taken, "no_stream", exampleEvents(3));
  const original = await store.append(known, "no_stream", repeated);
  const held = await holdAppends();
  const group = Promise.allSettled([
    store.append(taken, "no_stream", exampleEvents(1)),
    store.append(fresh, "no_stream", exampleEvents(2)),
    store.append(known, "no_stream", repeated),
    store.append(freshStream(), 4, exampleEvents(1)),
  ]);
  await held.release();
  expect(await group).toMatchObject([
    { reason: { failure: { kind: "conflict", actual: 2 } } },
    { value: { revision: 1 } },
    { value: original },
    { reason: { failure: { kind: "conflict", expected: 4, actual: "no_stream" } } },
  ]);
});

it("writes the others of a group when the database refuses one of them", async () => {
  const [stream, event] = [freshStream(), exampleEvent()];
  await store.append(stream, "no_stream", [event]);
  const held = await holdAppends();
  const group = Promise.allSettled([
    store.append(freshStream(), "no_stream", exampleEvents(1)),
    store.append(stream, 0, [event]),
    store.append(freshStream(), "no_stream", exampleEvents(1)),
  ]);
  await held.release();
  expect((await group).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await group).toMatchObject([{}, { reason: { failure: { kind: "invalid_event" } } }, {}]);
});

it("writes a second append of a stream after the first, though they came together", async () => {
  const stream = freshStream();
  const held = await holdAppends();
  const both = Promise.all([
    store.append(stream, "no_stream", exampleEvents(2)),
    store.append(stream, 1, exampleEvents(1)),
  ]);
  await held.release();
  expect((await both).map(({ revision }) => revision)).toEqual([1, 2]);
});

it("writes what does not fit into one group in the next ones, and answers each append by itself", async () => {
  const [stream, event] = [freshStream(), exampleEvent()];
  await store.append(stream, "no_stream", [event]);
  const held = await holdAppends();
  const streams = Array.from({ length: 12 }, () => freshStream());
  const answers = Promise.allSettled([
    ...streams.map((each) => store.append(each, "no_stream", exampleEvents(100))),
    store.append(stream, 0, [event]),
    store.append(stream, 7, exampleEvents(1)),
    ...streams.map((each) => store.append(each, 99, exampleEvents(100))),
  ]);
  await held.release();
  expect(await answers).toMatchObject([
    ...streams.map(() => ({ value: { revision: 99 } })),
    { reason: { failure: { kind: "invalid_event" } } },
    { reason: { failure: { kind: "conflict", actual: 0 } } },
    ...streams.map(() => ({ value: { revision: 199 } })),
  ]);
  expect(await store.head()).toBe(String(2 + 12 * 200));
});

it("answers Conflict to an expectation that no stream can meet, and goes on", async () => {
  await expect(store.append(freshStream(), 2 ** 40, exampleEvents(1))).rejects.toMatchObject({
    failure: { kind: "conflict", expected: 2 ** 40, actual: "no_stream" },
  });
  expect(await store.append(freshStream(), "no_stream", exampleEvents(1))).toMatchObject({ revision: 0 });
});

it("loses and doubles nothing when its connection is killed in the middle of a group", async () => {
  const held = await holdAppends();
  const streams = Array.from({ length: 5 }, () => freshStream());
  const appends = Promise.all(streams.map((stream) => store.append(stream, "no_stream", exampleEvents(2))));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted",
  );
  await held.release();
  expect((await appends).map(({ revision }) => revision)).toEqual([1, 1, 1, 1, 1]);
  for (const stream of streams) expect(await store.read(stream)).toHaveLength(2);
});

it("finds out by their ids that appends were written whose answer was lost", async () => {
  const proxy = await startCuttingProxy(database.connectionString);
  const behind = open(proxy.connection);
  const first = exampleEvents(1);
  await behind.append(freshStream(), "no_stream", first);
  const [stream, events] = [freshStream(), exampleEvents(2)];
  proxy.cutReplies(true);
  const appending = behind.append(stream, "no_stream", events).catch((error: unknown) => error);
  await eventually("the append to be written", async () => (await store.head()) === "3");
  proxy.cutReplies(false);
  await appending; // answered, or Unavailable when the second try was cut as well
  expect(await behind.append(stream, "no_stream", events)).toEqual({ revision: 1, position: "3" });
  expect(idsOf(await store.read(stream))).toEqual(idsOf(events));
  await behind.close();
  await proxy.close();
});

it("wakes a subscription for what another process appends, also after its listener was killed", async () => {
  const other = open({ connectionString: database.connectionString });
  const following = followEvents(other, 3);
  await store.append(freshStream(), "no_stream", exampleEvents(1));
  await eventually("the listener", async () => (await listeners()).length > 0);
  await store.append(freshStream(), "no_stream", exampleEvents(1));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'ringfold log notifications'",
  );
  await store.append(freshStream(), "no_stream", exampleEvents(1));
  expect(await following).toHaveLength(3);
  await other.close();
});

it("tells all who listen of what was appended, with fewer messages than appends", async () => {
  const listener = new pg.Client(database.connectionString);
  await listener.connect();
  let heard = 0;
  listener.on("notification", () => {
    heard += 1;
  });
  await listener.query("listen ringfold_log");
  const appends = Array.from({ length: 50 }, () =>
    store.append(freshStream(), "no_stream", exampleEvents(1)),
  );
  await Promise.all(appends);
  await eventually("the announcement", () => heard > 0);
  expect(heard).toBeLessThan(50);
  await listener.end();
});

it("says of a page backward where the next one goes on, and of the last that it is the last", async () => {
  await store.append(freshStream(), "no_stream", exampleEvents(5));
  const first = await store.readAll({ after: START, limit: 3, backward: true });
  expect([first.events.map(({ position }) => position), first.next, first.atEnd]).toEqual([
    ["5", "4", "3"],
    "3",
    false,
  ]);
  const second = await store.readAll({ after: START, before: first.next, limit: 3, backward: true });
  expect([second.events.map(({ position }) => position), second.atEnd]).toEqual([["2", "1"], true]);
  const exact = await store.readAll({ after: START, limit: 5, backward: true });
  expect([exact.events.length, exact.next, exact.atEnd]).toEqual([5, "1", true]);
});

async function listeners(): Promise<readonly unknown[]> {
  const { rows } = await database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and query like 'listen%'",
  );
  return rows;
}

it.each([
  ["that PostgreSQL compresses", "x".repeat(500_000)],
  ["that it stores as it is", randomBytes(375_000).toString("base64")],
])("gives no more than some megabytes %s in one page, however many events are asked for", async (_, text) => {
  const data = { text };
  for (let n = 0; n < 40; n += 1) await store.append(freshStream(), "no_stream", [exampleEvent({ data })]);
  const page = await store.readAll({ after: START, limit: 500 });
  expect([page.events.length, page.atEnd, page.next]).toEqual([17, false, "17"]);
  expect(await followEvents(store, 40)).toHaveLength(40);
});

it("looks through a long log for a filter in bounded steps, and gets to its end", async () => {
  await store.append(freshStream(), "no_stream", exampleEvents(1));
  await database.pool.query(
    `insert into log.events select n, 'filler-1', n, gen_random_uuid(), 'Filler', 'usr_x', '{}', '{}', now()
     from generate_series(2, 120001) n`,
  );
  const { position } = await store.append(freshStream("squad"), "no_stream", exampleEvents(1));
  const filter = { categories: ["squad"] };
  const first = await store.readAll({ after: START, limit: 10, filter });
  expect(first).toEqual({ events: [], next: "50000", atEnd: false });
  const [found] = await followEvents(store, 1, { filter });
  expect(found?.position).toBe(position);
});

it("looks through an owner's events in bounded steps as well", async () => {
  await database.pool.query(
    `insert into log.events select n, 'filler-1', n, gen_random_uuid(), 'Filler', 'usr_contract', '{}', '{}', now()
     from generate_series(1, 12000) n`,
  );
  const { position } = await store.append(freshStream(), "no_stream", [exampleEvent({ type: "CallWanted" })]);
  const filter = { owner: "usr_contract", types: ["CallWanted"] };
  const first = await store.readAll({ after: START, limit: 10, filter });
  expect(first).toEqual({ events: [], next: "5000", atEnd: false });
  const [found] = await followEvents(store, 1, { filter });
  expect(found?.position).toBe(position);
});

it("numbers positions without gaps, whatever was refused between", async () => {
  const stream = freshStream();
  for (let n = 0; n < 5; n += 1)
    await Promise.allSettled([
      store.append(stream, n === 0 ? "no_stream" : n - 1, exampleEvents(1)),
      store.append(stream, 99, exampleEvents(1)),
    ]);
  const { events } = await store.readAll({ after: START, limit: 100 });
  expect(events.map(({ position }) => position)).toEqual(["1", "2", "3", "4", "5"]);
});

it("refuses an event id that is no UUID", async () => {
  const append = store.append(freshStream(), "no_stream", [exampleEvent(), exampleEvent({ id: "first" })]);
  await expect(append).rejects.toMatchObject({ failure: { kind: "invalid_event", index: 1 } });
});

it("refuses a position that is none of this log", async () => {
  await expect(followEvents(store, 1, { after: `C:${randomUUID()}` })).rejects.toThrow("no position");
});
