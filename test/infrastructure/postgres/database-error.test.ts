import pg from "pg";
import { expect, it } from "vitest";
import { isRetryableDatabaseError } from "../../../infrastructure/postgres/database-error.ts";
import { openPool } from "../../../infrastructure/postgres/pool.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { createTestDatabase } from "../../support/postgres.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

it.each([
  "08006",
  "57P01",
  "57P02",
  "57P03",
  "57014",
  "53100",
  "53300",
  "40P01",
  "40001",
  "ECONNREFUSED",
  "ECONNRESET",
])("may be repeated after %s", (code) => {
  expect(isRetryableDatabaseError(withCode(code))).toBe(true);
});

it.each(["23505", "22003", "42P01", "25P02", "ERR_ASSERTION"])("is not to be repeated after %s", (code) => {
  expect(isRetryableDatabaseError(withCode(code))).toBe(false);
});

it("tells a value that is no error, or one of ours, from a database that is away", () => {
  expect(isRetryableDatabaseError("ECONNREFUSED")).toBe(false);
  expect(isRetryableDatabaseError(new Error("no such thing"))).toBe(false);
});

it("knows a server that nobody can reach", async () => {
  const pool = openPool({ connection: { host: "127.0.0.1", port: 9 }, logger: silentLogger });
  expect(isRetryableDatabaseError(await failureOf(pool.query("select 1")))).toBe(true);
  await pool.end();
});

it("knows a connection that is cut in the middle of a query", async () => {
  const database = await createTestDatabase();
  const client = new pg.Client(database.connectionString);
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const sleeping = failureOf(client.query("select pg_sleep(60)"));
  await database.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  expect(isRetryableDatabaseError(await sleeping)).toBe(true);
  expect(isRetryableDatabaseError(await failureOf(client.query("select 1")))).toBe(true);
  await database.drop();
});

it("cancels a statement that takes longer than it may, and counts that as repeatable", async () => {
  const database = await createTestDatabase();
  const connection = { connectionString: database.connectionString };
  const pool = openPool({ connection, logger: silentLogger, statementTimeoutMillis: 50 });
  const failure = await failureOf(pool.query("select pg_sleep(60)"));
  expect(failure).toMatchObject({ code: "57014" });
  expect(isRetryableDatabaseError(failure)).toBe(true);
  await pool.end();
  await database.drop();
});

it("replaces a connection that was cut while idle", async () => {
  const database = await createTestDatabase();
  const pool = openPool({
    connection: { connectionString: database.connectionString },
    logger: silentLogger,
  });
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const lost = new Promise((resolve) => pool.once("error", resolve));
  await database.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await lost;
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await database.drop();
});
