import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import {
  advanceCheckpoints,
  createReadSchema,
  loadCheckpoint,
  type ModelCheckpoint,
} from "../../../projections/engine/checkpoints.ts";
import type { ReadSchema } from "../../../projections/engine/read-schema.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
let db: Kysely<ReadSchema>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = kyselyOn<ReadSchema>(database.pool);
  await createReadSchema(db);
});
afterAll(() => database.drop());

const at = (position: string, generation = 0): ModelCheckpoint => ({ position, generation, lastEvent: null });

it("moves several at once, each only from where its writer believes it to be", async () => {
  for (const model of ["right_v1", "elsewhere_v1", "rebuilt_v1"])
    await sql`insert into read.checkpoints (model, position, generation) values (${model}, '5', 0)`.execute(
      db,
    );
  const to = { ...at("9"), lastEvent: { id: "e", stream: "call-call_1", revision: 3 } };
  const moved = await advanceCheckpoints(db, [
    { model: "elsewhere_v1", from: at("4"), to },
    { model: "right_v1", from: at("5"), to },
    { model: "rebuilt_v1", from: at("5", 1), to },
    { model: "missing_v1", from: at("5"), to },
  ]);
  expect(moved).toEqual([false, true, false, false]);
  expect(await loadCheckpoint(db, "right_v1")).toEqual(to);
  expect(await loadCheckpoint(db, "elsewhere_v1")).toEqual(at("5"));
  expect(await loadCheckpoint(db, "rebuilt_v1")).toEqual(at("5"));
});
