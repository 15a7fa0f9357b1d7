import { afterEach, beforeEach, expect, it } from "vitest";
import type { Turn } from "../../../application/ports/processor-turns.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import {
  createPostgresProcessorTurns,
  type PostgresProcessorTurns,
} from "../../../infrastructure/postgres/processor-turns.ts";
import { eventually } from "../../support/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";
import { cutTurns } from "../../support/processor-turns.ts";
import { silentLogger } from "../../support/silent.ts";

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

const processTurns = (connectionString: string) =>
  createPostgresProcessorTurns({
    connection: { connectionString },
    clock: systemClock,
    logger: silentLogger,
  });
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

it("shares out what two processes ask for at once", async () => {
  await Promise.all([one.tryTake("warm"), other.tryTake("up")]);
  const processors = ["a", "b", "c", "d"];
  const all = (turns: PostgresProcessorTurns) => Promise.all(processors.map((name) => turns.tryTake(name)));
  const [ofOne, ofOther] = await Promise.all([all(one), all(other)]);
  for (const turns of [ofOne, ofOther]) expect(turns.filter((turn) => turn !== null)).toHaveLength(2);
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
