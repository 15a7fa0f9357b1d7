import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../../infrastructure/postgres/migrations/migrate.ts";
import { migrations } from "../../../infrastructure/postgres/migrations/migrations.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const applied = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select name from migrations.applied order by name",
  );
  return rows.map(({ name }) => name);
};

it("applies every migration once, also when processes start at the same moment", async () => {
  await Promise.all([migrate(database.pool), migrate(database.pool), migrate(database.pool)]);
  expect(await applied()).toEqual(Object.keys(migrations).toSorted());
});

it("changes nothing on a database of this release", async () => {
  const before = await database.pool.query("select * from migrations.applied order by name");
  await migrate(database.pool);
  const after = await database.pool.query("select * from migrations.applied order by name");
  expect(after.rows).toEqual(before.rows);
});

it("refuses a database of a newer release and names the migration", async () => {
  await database.pool.query("insert into migrations.applied values ('9999-future', now()::text)");
  await expect(migrate(database.pool)).rejects.toThrow(/newer release \(migration 9999-future\)/);
});
