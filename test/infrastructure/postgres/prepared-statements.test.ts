import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import { createTestDatabase, openTestPool, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
/** One connection, so that whoever asks sees what it has prepared. */
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.connectionString, 1);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function prepared(like: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    "select count(*)::integer as n from pg_prepared_statements where statement like $1",
    [like],
  );
  return rows[0]?.n ?? 0;
}

it("prepares a marked statement once, whatever its values and whoever of a pool's users asks", async () => {
  for (const db of [kyselyOn(pool), kyselyOn(pool)]) {
    for (const value of [1, 2]) {
      const { rows } = await sql<{ v: number }>`select /* prepared */ ${value}::integer as v`.execute(db);
      expect(rows).toEqual([{ v: value }]);
    }
  }
  expect(await prepared("select /* prepared */ $1::integer as v")).toBe(1);
});

it("prepares nothing that is not marked", async () => {
  await sql`select ${1}::integer as unmarked`.execute(kyselyOn(pool));
  expect(await prepared("%unmarked")).toBe(0);
});

it("answers marked texts without number, and leaves most of them without a name", async () => {
  const db = kyselyOn(pool);
  for (let index = 0; index < 110; index += 1) {
    const text = sql.lit(`text ${index}`);
    const { rows } = await sql<{ v: number }>`select /* prepared */ ${index}::integer as v, ${text}`.execute(
      db,
    );
    expect(rows[0]?.v).toBe(index);
  }
  expect(await prepared("%'text %")).toBe(100);
});
