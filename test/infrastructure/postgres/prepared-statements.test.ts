import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
/** One connection, so that whoever asks sees what it has prepared. */
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.connectionString, max: 1 });
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

it("prepares a statement once, whatever its values and whoever of a pool's users asks", async () => {
  for (const db of [kyselyOn(pool), kyselyOn(pool)]) {
    for (const value of [1, 2]) {
      const { rows } = await sql<{ v: number }>`select ${value}::integer as v, 'once'`.execute(db);
      expect(rows).toEqual([{ v: value, "?column?": "once" }]);
    }
  }
  expect(await prepared("select $1::integer as v%")).toBe(1);
});

it("prepares nothing that takes no values", async () => {
  await kyselyOn(pool)
    .transaction()
    .execute((trx) => sql`select 'valueless'`.execute(trx));
  expect((await prepared("%valueless'")) + (await prepared("begin"))).toBe(0);
});

it("answers texts without number, and leaves most of them without a name", async () => {
  const db = kyselyOn(pool);
  for (let index = 0; index < 210; index += 1) {
    const { rows } = await sql<{
      v: number;
    }>`select ${index}::integer as v, ${sql.lit(`text ${index}`)}`.execute(db);
    expect(rows[0]?.v).toBe(index);
  }
  expect(await prepared("%'text %")).toBe(200);
});
