import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import {
  createPostgresProcessorTurns,
  type PostgresProcessorTurns,
} from "../../../infrastructure/postgres/processor-turns.ts";
import { callsProjection } from "../../../projections/calls/calls.ts";
import { createReadSchema } from "../../../projections/engine/checkpoints.ts";
import { modelOf, type Projection, servingTables } from "../../../projections/engine/projection.ts";
import { READ_MODELS, type ReadModelStatus, type ReadModels } from "../../../projections/read-models.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { cutTurns } from "../../support/processor-turns.ts";
import { randomHistory } from "../random-history.ts";
import { allRows, openReadWorld, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;
const HISTORY = randomHistory(7, 300);
const HALF = HISTORY.length / 2;

/** One of the processes on a database: its read models, and which of them it has opened to write rows. */
type Process = {
  readonly turns: PostgresProcessorTurns;
  readonly models: ReadModels;
  readonly opened: ReadonlySet<string>;
};

let world: ReadWorld;
let processes: readonly [Process, Process];
beforeEach(async () => {
  world = await openReadWorld();
  await createReadSchema(world.db);
  await world.rebuild();
  processes = [begin(), begin()];
});
afterEach(async () => {
  await world.stop();
  await Promise.all(processes.map(({ turns }) => turns.close()));
  await world.close();
});

function begin(): Process {
  const { connectionString } = world.database;
  const turns = createPostgresProcessorTurns({
    connection: { connectionString },
    clock: systemClock,
    logger: silentLogger,
  });
  const opened = new Set<string>();
  const projections = READ_MODELS.map((projection): Projection => {
    const openWriter: Projection["openWriter"] = (tables) => {
      opened.add(modelOf(projection));
      return projection.openWriter(tables);
    };
    return { ...projection, openWriter };
  });
  return { turns, opened, models: world.start({ turns, projections }) };
}

const caughtUp = async ({ models }: Process) => models.positions.waitFor(await world.eventStore.head(), LONG);

it("lets one process write the rows of a model, and all see them", async () => {
  await world.append(HISTORY);
  expect(await Promise.all(processes.map(caughtUp))).toEqual([true, true]);
  for (const model of READ_MODELS.map(modelOf))
    expect(processes.filter(({ opened }) => opened.has(model))).toHaveLength(1);
});

it("tells of a model that another process writes where it stands", async () => {
  await world.append(HISTORY);
  await Promise.all(processes.map(caughtUp));
  const head = await world.eventStore.head();
  const standsAtHead = ({ state, position, lagMillis }: ReadModelStatus) =>
    state === "following" && position === head && lagMillis === 0;
  for (const { models } of processes)
    expect(await eventually("them all", () => models.status().every(standsAtHead))).toBe(true);
});

it("goes on in the other process when one is gone, and leaves out nothing", async () => {
  const [one, other] = processes;
  await world.append(HISTORY.slice(0, HALF));
  await Promise.all(processes.map(caughtUp));
  await one.turns.close();
  await world.append(HISTORY.slice(HALF));
  expect(await caughtUp(other)).toBe(true);
  const live = await allRows(world.db);
  await world.rebuild();
  expect(await allRows(world.db)).toEqual(live);
});

it("starts over from what is stored when a crash of the database ends the turns, also while nothing is written", async () => {
  const [, other] = processes;
  await world.append(HISTORY);
  await Promise.all(processes.map(caughtUp));
  await other.turns.close();
  const before = await allRows(world.db);
  await world.db.transaction().execute(async (trx) => {
    await sql`update read.checkpoints set position = ${START}, event_id = null where model = 'calls_v3'`.execute(
      trx,
    );
    for (const table of callsProjection.tables)
      await sql`delete from ${servingTables(callsProjection)(table)}`.execute(trx);
  });
  await cutTurns(world.database);
  const isBack = async () => isDeepStrictEqual(await allRows(world.db), before);
  expect(await eventually("all rows", isBack)).toBe(true);
});
