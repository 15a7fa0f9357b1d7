import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadParked } from "../../../projections/engine/checkpoints.ts";
import type { Projection } from "../../../projections/engine/projection.ts";
import { squadsProjection } from "../../../projections/squads/squads.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { randomHistory } from "../random-history.ts";
import { openReadWorld, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;
const CREATED = randomHistory(14, 300).filter(({ event }) => event.type === "SquadCreated");

let world: ReadWorld;
beforeEach(async () => {
  world = await openReadWorld();
});
afterEach(() => world.close());

/** Fails two writes (at once, and event by event or tried again), then works. */
function failing(failure: unknown): Projection {
  let left = 2;
  return {
    ...squadsProjection,
    openWriter: (tableOf) => {
      const writer = squadsProjection.openWriter(tableOf);
      return {
        ...writer,
        async write(trx, events) {
          left -= 1;
          if (left >= 0) throw failure;
          return writer.write(trx, events);
        },
      };
    },
  };
}

const withCode = (code: unknown) => Object.assign(new Error("failed"), { code });

it.each([
  ["a mistake of the code", new TypeError("no such field"), 1],
  ["a number out of range", new RangeError("too long"), 1],
  ["a text that the database cannot store", withCode("22021"), 1],
  ["a broken constraint", withCode("23505"), 1],
  ["a limit of the database", withCode("54000"), 1],
  ["a serialization failure", withCode("40001"), 0],
  ["a shutdown", withCode("57P01"), 0],
  ["a code that is no text", withCode(23_505), 0],
  ["an error without a code", new Error("connection lost"), 0],
  ["what is no error", { code: "23505" }, 0],
])("parks an event only for a failure that a repeat would have too: %s", async (_what, failure, parked) => {
  const models = world.start({ projections: [failing(failure)] });
  await eventually("following", () => models.status()[0]?.state === "following");
  await world.append(CREATED.slice(0, 1));
  expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
  expect(await loadParked(world.db, ["squads_v1"])).toHaveLength(parked);
  const { rows } = await sql`select 1 from read.squads_v1`.execute(world.db);
  expect(rows).toHaveLength(1 - parked);
});
