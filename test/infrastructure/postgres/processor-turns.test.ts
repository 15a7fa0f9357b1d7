import { afterEach, beforeEach, expect, it } from "vitest";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Turn } from "../../../application/ports/processor-turns.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import {
  createPostgresProcessorTurns,
  type PostgresProcessorTurns,
} from "../../../infrastructure/postgres/processor-turns.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";
import { cutTurns } from "../../support/processor-turns.ts";

let database: TestDatabase;
let one: PostgresProcessorTurns;
let other: PostgresProcessorTurns;
beforeEach(async () => {
  database = await createTestDatabase();
  one = processTurns(database.connectionString);
  other = processTurns(database.connectionString);
});
afterEach(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

const processTurns = (connectionString: string, clock: Clock = systemClock) =>
  createPostgresProcessorTurns({ connection: { connectionString }, clock, logger: silentLogger });
const taken = (turns: PostgresProcessorTurns, processor: string): Promise<Turn> =>
  eventually(`a turn for ${processor}`, () => turns.tryTake(processor));

it("gives a turn to one process at a time", async () => {
  await taken(one, "a");
  expect(await other.tryTake("a")).toBeNull();
  expect(await other.tryTake("b")).not.toBeNull();
});

it("gives a turn that was given back to the next who asks", async () => {
  const turn = await taken(one, "a");
  turn.release();
  await taken(other, "a");
  expect(await one.tryTake("a")).toBeNull();
});

it("tells when a connection is lost; then another process gets its turns", async () => {
  const turn = await taken(one, "a");
  expect(turn.lost.aborted).toBe(false);
  await cutTurns(database);
  await eventually("the loss", () => turn.lost.aborted);
  await taken(other, "a");
  expect(await one.tryTake("a")).toBeNull();
});

it("gives every turn back when it closes", async () => {
  const turn = await taken(one, "a");
  await one.close();
  expect(turn.lost.aborted).toBe(true);
  await taken(other, "a");
});

it("leaves a free turn to a process that has fewer, and takes it after a moment only if it is free then", async () => {
  const [asleep, moment] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sleep: Clock["sleep"] = (millis, signal) => {
    if (signal !== undefined) return systemClock.sleep(millis, signal); // between two probes
    asleep.resolve();
    return moment.promise;
  };
  const rich = processTurns(database.connectionString, { ...systemClock, sleep });
  try {
    await taken(rich, "a");
    expect(await other.tryTake("a")).toBeNull();
    const later = rich.tryTake("b");
    await asleep.promise;
    expect(await other.tryTake("b")).not.toBeNull();
    moment.resolve();
    expect(await later).toBeNull();
  } finally {
    await rich.close();
  }
});

it("leaves to another process for no longer than a moment what that one does not want", async () => {
  expect(await other.tryTake("z")).not.toBeNull();
  for (const processor of ["a", "b", "c"]) expect(await one.tryTake(processor)).not.toBeNull();
});

it("gives no turn while the database is away", async () => {
  const nowhere = processTurns("postgresql://nobody@127.0.0.1:1/nothing");
  expect(await nowhere.tryTake("a")).toBeNull();
  await nowhere.close();
});
