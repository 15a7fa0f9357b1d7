import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import { createQueryThreads, type PostgresConnection } from "../../../infrastructure/tools/query-threads.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";
import { type PostgresOverTcp, postgresOverTcp } from "../../support/postgres-over-tcp.ts";

let database: TestDatabase;
let entrances: readonly [PostgresOverTcp, PostgresOverTcp];
let first: PostgresConnection;
/** The same server at another port: to its owner another database. */
let second: PostgresConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  entrances = [await postgresOverTcp(), await postgresOverTcp()];
  const name = new URL(database.connectionString).pathname.slice(1);
  const { user, password } = entrances[0];
  const at = ({ port }: PostgresOverTcp) => ({
    ...{ host: "127.0.0.1", port, database: name, user, password, tls: false },
  });
  [first, second] = [at(entrances[0]), at(entrances[1])];
});
afterAll(async () => {
  for (const entrance of entrances) await entrance.close();
  await database.drop();
});

const ACCESS = {
  policy: addressPolicy(["127.0.0.0/8"]),
  resolve: () => Promise.reject(new Error("no name is asked for")),
};
const LIMITS = { threads: 2, idleMillis: 60_000 };
const ONE = { text: "select 1 as one", values: [] };
const ANSWER = { rows: [{ one: 1 }], more: false };
const sleep = (seconds: number) => ({ text: `select 1 as one from pg_sleep(${seconds})`, values: [] });
const going = () => new AbortController().signal;

describe("threads of databases", () => {
  it("are so many at the most: one more is refused, and has its turn when another has been idle", async () => {
    const threads = createQueryThreads(ACCESS, { threads: 1, idleMillis: 100 });
    const underWay = threads.ask(first, sleep(0.5), going());
    await expect(threads.ask(second, ONE, going())).rejects.toMatchObject({
      ...{ name: "QueryFailed", message: "too many databases at once", code: "", isTooMuch: false },
    });
    expect(await underWay).toEqual(ANSWER);
    await eventually("the other database is answered for", async () => {
      const answer = await threads.ask(second, ONE, going()).catch(() => null);
      return answer?.rows.length === 1;
    });
    await threads.close();
  });

  it("are not idle while any query is under way, nor when another one has come", async () => {
    const threads = createQueryThreads(ACCESS, { threads: 1, idleMillis: 50 });
    const both = [threads.ask(first, ONE, going()), threads.ask(first, sleep(0.5), going())];
    expect(await Promise.all(both)).toEqual([ANSWER, ANSWER]);
    expect(await threads.ask(first, sleep(0.5), going())).toEqual(ANSWER);
    await threads.close();
  });

  it("do not begin for a query that is over before", async () => {
    const threads = createQueryThreads(ACCESS, { threads: 0, idleMillis: 50 });
    const over = AbortSignal.abort(new Error("the call is over"));
    await expect(threads.ask(first, ONE, over)).rejects.toThrow("the call is over");
  });

  it("leave no connection when they are closed", async () => {
    const threads = createQueryThreads(ACCESS, LIMITS);
    await Promise.all([threads.ask(first, ONE, going()), threads.ask(second, ONE, going())]);
    const held = async () => {
      const { rows } = await database.pool.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      return rows[0]?.n;
    };
    expect(await held()).toBe(2);
    await threads.close();
    await eventually("no connection is left", async () => (await held()) === 0);
  });
});

it("a thread that a broken answer has ended is followed by another one", async () => {
  let isBroken = true;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (!isBroken) return socket.pipe(connect(first.port, "127.0.0.1")).pipe(socket);
    // An authentication that is shorter than it says.
    return socket.resume().write(Buffer.from([0x52, 0, 0, 0, 5, 0]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connection = { ...first, port: (server.address() as AddressInfo).port };
  const threads = createQueryThreads(ACCESS, LIMITS);
  await expect(threads.ask(connection, ONE, going())).rejects.toMatchObject({
    ...{ name: "QueryFailed", message: "the connection broke", code: "", isTooMuch: false },
  });
  isBroken = false;
  expect(await threads.ask(connection, ONE, going())).toEqual(ANSWER);
  await threads.close();
  await new Promise((resolve) => server.close(resolve));
});
