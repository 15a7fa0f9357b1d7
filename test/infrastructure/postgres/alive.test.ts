import { afterEach, beforeEach, expect, it } from "vitest";
import { type EventStore, START } from "../../../application/ports/event-store.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { findRestored, lastSignOfLife, writeHeartbeat } from "../../../infrastructure/postgres/alive.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../support/database.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import type { TestDatabase } from "../../support/postgres.ts";

const ALIVE_AT = Date.parse("2026-09-01T10:00:00.000Z");

let database: TestDatabase;
let clock: MovingClock;
let log: EventStore;
beforeEach(async () => {
  database = await migratedDatabase();
  clock = movingClock(ALIVE_AT);
  log = memoryLog({ clock }).eventStore;
});
afterEach(async () => {
  await log.close();
  await database.drop();
});

const lastAlive = () =>
  database.pool.query("insert into work.alive (alive_at) values ($1)", [new Date(ALIVE_AT)]);
const append = (count: number) => {
  const metadata = {
    correlationId: "c",
    causationId: null,
    actor: "process:x",
    owner: "usr_1",
    schemaVersion: 1,
  };
  const events = Array.from({ length: count }, () => ({
    id: systemIds.uuid(),
    type: "T",
    data: {},
    metadata,
  }));
  return log.append(`call-${systemIds.next("call")}`, "no_stream", events);
};
const restored = (after = START) => findRestored(database.pool, log, after);

it("finds nothing in a database that never saw the service", async () => {
  await append(1);
  expect([await lastSignOfLife(database.pool), await restored()]).toEqual([null, null]);
});

it("finds nothing while every event is at most 60 s younger than the last sign of life", async () => {
  await lastAlive();
  await append(2);
  clock.advance(60_000);
  await append(2);
  expect(await restored()).toBeNull();
});

it("names the first event that this database cannot have lived to see, the same one each time", async () => {
  await lastAlive();
  await append(3);
  clock.advance(60_001);
  const { position } = await append(1);
  const found = { position, aliveAt: instantFromMillis(ALIVE_AT) };
  expect(await restored()).toEqual(found);
  clock.advance(60_000);
  await append(1);
  expect(await restored()).toEqual(found);
});

it("looks only behind the place where the reactions stand", async () => {
  await lastAlive();
  clock.advance(90_000);
  const { position } = await append(1);
  expect(await restored(position)).toBeNull();
});

it("looks through more than one page", async () => {
  await lastAlive();
  for (let round = 0; round < 5; round += 1) await append(500);
  clock.advance(61_000);
  const { position } = await append(1);
  expect(await restored()).toMatchObject({ position });
});

it("gives a sign of life by the database's clock", async () => {
  const signs = writeHeartbeat(database.pool, silentLogger);
  await eventually("the sign", () => lastSignOfLife(database.pool));
  signs.stop();
  const { rows } = await database.pool.query(
    "select clock_timestamp() - alive_at between '0' and interval '1 minute' as now from work.alive",
  );
  expect(rows).toEqual([{ now: true }]);
});

it("takes no sign of life back when the database's clock does", async () => {
  const later = new Date("2099-01-01T00:00:00.000Z");
  await database.pool.query("insert into work.alive (alive_at) values ($1)", [later]);
  const version = async () => (await database.pool.query("select xmin::text from work.alive")).rows[0].xmin;
  const before = await version();
  const signs = writeHeartbeat(database.pool, silentLogger);
  await eventually("the next sign", async () => (await version()) !== before);
  signs.stop();
  expect(await lastSignOfLife(database.pool)).toBe(later.toISOString());
});
