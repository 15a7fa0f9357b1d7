import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import { callsProjection } from "../../../projections/calls/calls.ts";
import { createReadSchema, loadPositions } from "../../../projections/engine/checkpoints.ts";
import { modelOf, type Projection } from "../../../projections/engine/projection.ts";
import { createReadPositions, type ReadPositions } from "../../../projections/engine/read-positions.ts";
import type { ReadSchema } from "../../../projections/engine/read-schema.ts";
import { readSnapshot } from "../../../projections/engine/read-snapshot.ts";
import { squadsProjection } from "../../../projections/squads/squads.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";

const CALLS = modelOf(callsProjection);
const SQUADS = modelOf(squadsProjection);

let database: TestDatabase;
let db: Kysely<ReadSchema>;
const { eventStore } = memoryLog({});
let clock: MovingClock;
let positions: ReadPositions;
beforeAll(async () => {
  database = await createTestDatabase();
  db = kyselyOn<ReadSchema>(database.pool);
  await createReadSchema(db);
});
afterAll(() => database.drop());
beforeEach(() => {
  clock = movingClock();
  positions = createReadPositions({ db, eventStore, clock }, [CALLS, SQUADS]);
});

describe("positions of the read models", () => {
  it("never go back, and are those of the models that were asked for", () => {
    positions.moved(CALLS, "5");
    positions.moved(CALLS, "3");
    positions.moved("another_v1", "9");
    expect([CALLS, SQUADS, "another_v1"].map((model) => positions.of(model))).toEqual(["5", START, START]);
    expect(positions.known()).toBe("5");
  });

  it("wait two seconds for a model without tables, from the first word of it, then not until it has moved", async () => {
    positions.moved(CALLS, "5");
    positions.unserved(SQUADS);
    clock.advance(1_999);
    positions.unserved(SQUADS);
    expect(await positions.servedTo("5", 0)).toBe("behind");
    clock.advance(1);
    expect(await positions.servedTo("5", 0)).toBe("served");
    expect(await positions.servedTo("6", 0)).toBe("behind");
    expect(await positions.waitFor("5", 0)).toBe(false);
    positions.moved(SQUADS, "4");
    expect(await positions.servedTo("5", 0)).toBe("behind");
    positions.moved(SQUADS, "5");
    expect(await positions.servedTo("5", 0)).toBe("all");
  });

  it("are awaited while somebody waits for one", async () => {
    expect(positions.isAwaited()).toBe(false);
    const waiting = positions.waitFor("5", 60_000);
    expect(positions.isAwaited()).toBe(true);
    for (const model of [CALLS, SQUADS]) positions.moved(model, "5");
    expect(await waiting).toBe(true);
    expect(positions.isAwaited()).toBe(false);
  });

  it("are not asked for while this process moves them, and 20 ms after its last move they are", async () => {
    const connects = vi.spyOn(database.pool, "connect");
    const waiting = positions.waitFor("5", 60_000);
    for (const position of ["1", "2", "3"]) {
      for (const model of [CALLS, SQUADS]) positions.moved(model, position);
      clock.advance(20);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(connects).not.toHaveBeenCalled();
    clock.advance(20);
    await eventually("the question", () => connects.mock.calls.length === 1);
    connects.mockRestore();
    for (const model of [CALLS, SQUADS]) positions.moved(model, "5");
    expect(await waiting).toBe(true);
  });

  it("of no models need no query", async () => {
    expect(await loadPositions(db, [])).toEqual(new Map());
  });
});

describe("a snapshot of several models", () => {
  const placed = (model: string, position: string) =>
    sql`insert into read.checkpoints (model, position, generation) values (${model}, ${position}, 0)`.execute(
      db,
    );
  async function heardOf(models: readonly Projection[]): Promise<string[]> {
    const heard: string[] = [];
    const answer = await readSnapshot(
      { db, eventStore },
      models,
      (position) => heard.push(position),
      async () => "rows",
    );
    expect(answer).toBe("rows");
    return heard;
  }

  it("tells the lowest of their positions, whichever comes first, and START for one without rows", async () => {
    await placed(CALLS, "9");
    expect(await heardOf([callsProjection, squadsProjection])).toEqual([START]);
    await placed(SQUADS, "10");
    expect(await heardOf([callsProjection, squadsProjection])).toEqual(["9"]);
    expect(await heardOf([squadsProjection, callsProjection])).toEqual(["9"]);
  });
});
