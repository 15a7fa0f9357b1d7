import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase, withTemplate } from "./postgres.ts";

const opened: TestDatabase[] = [];

async function open(options: { template?: string } = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  opened.push(database);
  return database;
}

afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});

it("gives each caller a database of its own", async () => {
  const [one, other] = [await open(), await open()];
  await one.pool.query("create table only_here (x int)");
  await expect(other.pool.query("select * from only_here")).rejects.toThrow('"only_here" does not exist');
});

it("prepares a template once, also for callers at the same moment, and copies it", async () => {
  let prepared = 0;
  const prepare = async (pool: TestDatabase["pool"]) => {
    prepared += 1;
    await pool.query("create table seeded as select 7 as x");
  };
  await Promise.all([1, 2, 3].map(() => withTemplate("support_test", prepare)));
  const { pool } = await open({ template: "support_test" });
  expect([prepared, (await pool.query("select x from seeded")).rows]).toEqual([1, [{ x: 7 }]]);
});

it("tries a template again whose preparation failed", async () => {
  const fail = () => Promise.reject(new Error("migration 3 failed"));
  await expect(withTemplate("support_retry", fail)).rejects.toThrow("migration 3 failed");
  await withTemplate("support_retry", async (pool) => {
    await pool.query("create table made_later (x int)");
  });
  const { pool } = await open({ template: "support_retry" });
  expect((await pool.query("select * from made_later")).rows).toEqual([]);
});

it("drops a database that somebody else is still connected to", async () => {
  const [database, other] = [await open(), await open()];
  const stranger = new pg.Client(database.connectionString);
  stranger.on("error", () => undefined);
  await stranger.connect();
  await database.drop();
  const name = new URL(database.connectionString).pathname.slice(1);
  const found = await other.pool.query("select 1 from pg_database where datname = $1", [name]);
  expect(found.rows).toEqual([]);
});
