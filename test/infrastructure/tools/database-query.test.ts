import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { PostgresConnection } from "../../../infrastructure/tools/query-threads.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";
import { type PostgresOverTcp, postgresOverTcp } from "../../support/postgres-over-tcp.ts";
import { runOf, toolWorld } from "./tool-world.ts";

let database: TestDatabase;
let connection: PostgresConnection;
let entrance: PostgresOverTcp;
let world: ReturnType<typeof toolWorld>;
beforeAll(async () => {
  database = await createTestDatabase();
  entrance = await postgresOverTcp();
  const { port, user, password } = entrance;
  const name = new URL(database.connectionString).pathname.slice(1);
  connection = { host: "127.0.0.1", port, database: name, user, password, tls: false };
  await database.pool.query(`create table customers (id integer primary key, phone text, name text);
    insert into customers select n, '+1500555' || lpad(n::text, 4, '0'), 'Customer ' || n from generate_series(1, 60) n`);
  world = toolWorld({ connection });
});
afterAll(async () => {
  await world.close();
  await entrance.close();
  await database.drop();
});

const query = (text: string, parameters: JsonObject = {}, changes: Parameters<typeof runOf>[2] = {}) =>
  runOf("DATABASE_QUERY", { connectionId: "conn_1", query: text, parameters }, changes);
const rowsOf = (shown: string) => JSON.parse(shown.split("\n")[0] ?? "") as unknown;

describe("a query", () => {
  it("binds its names: arguments, variables, and NULL for a variable that is not there", async () => {
    const run = query(
      "select name, :note::text as note, :none::text as none, :caller_number as caller from customers where id = :id and phone = :phone",
      { id: "{customer}", phone: "{{number}}", note: "a {customer} ':id'", none: "{{missing}}" },
      { arguments: { customer: "7" }, variables: { number: "+15005550007", caller_number: "+1" } },
    );
    const before = performance.now();
    const result = await world.run(run);
    expect(result).toMatchObject({
      outcome: "answered",
      isError: false,
      evidence: { rows: 1, status: null, host: "127.0.0.1" },
    });
    expect(result.evidence.millis).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
    expect(rowsOf(result.shown)).toEqual([
      { name: "Customer 7", note: "a 7 ':id'", none: null, caller: "+1" },
    ]);
  });

  it.each(["1; drop table customers", "1' or '1'='1", "1) union select 1,2,3 --", "0 or true"])(
    "takes %j as a value and nothing else",
    async (id) => {
      const result = await world.run(
        query("select name from customers where id::text = :id", {}, { arguments: { id } }),
      );
      expect([result.outcome, rowsOf(result.shown)]).toEqual(["answered", []]);
    },
  );

  it("answers as JSON: numbers, texts, times, JSON", async () => {
    const text = `select 1 as a, 1.50::numeric as b, 9007199254740993 as c, true as d, null as e, '{"x":[1]}'::jsonb as f,
      timestamp '2026-01-02 03:04:05' as g, date '2026-01-02' as h, '{1,2}'::int[] as i`;
    const { shown } = await world.run(query(text));
    expect(rowsOf(shown)).toEqual([
      {
        a: 1,
        b: "1.50",
        c: "9007199254740993",
        d: true,
        e: null,
        f: { x: [1] },
        g: "2026-01-02 03:04:05",
        h: "2026-01-02",
        i: "{1,2}",
      },
    ]);
  });

  it.each([
    "values (1), (2)",
    "table customers",
    "with x as (select 1) select * from x",
    "select 1;",
    "select 1 -- end",
  ])("may be %j", async (text) => {
    expect(await world.run(query(text))).toMatchObject({ outcome: "answered" });
  });

  it("shows 50 rows at most, and says that there are more", async () => {
    const { shown, evidence } = await world.run(query("select id from customers order by id"));
    expect(rowsOf(shown)).toHaveLength(50);
    expect([shown.split("\n")[1], evidence.rows]).toEqual(["more than 50 rows", 50]);
  });

  it("shows within 4,096 bytes as many rows as fit whole, or the beginning of one", async () => {
    const long = await world.run(query("select repeat('ü', 400) as text from customers limit 20"));
    expect(Buffer.byteLength(long.shown)).toBeLessThanOrEqual(4_096);
    expect(rowsOf(long.shown)).toHaveLength(4);
    expect(long.shown.split("\n")[1]).toBe("20 rows; the first 4 are shown");
    const one = await world.run(query("select repeat('ü', 4000) as text"));
    expect(Buffer.byteLength(one.shown)).toBeLessThanOrEqual(4_096);
    expect(one.shown).toMatch(/^1 rows, cut off:\n\[?\{"text":"ü+$/u);
  });

  it("shows 3,968 bytes of rows whole, and of one byte more the rows that fit", async () => {
    const rows = (count: number, letters: number) =>
      query(`select repeat('x', ${letters}) as a from generate_series(1, ${count})`);
    const whole = await world.run(rows(1, 3_958));
    expect([whole.shown.length, whole.shown.includes("\n")]).toEqual([3_968, false]);
    const { shown } = await world.run(rows(32, 115));
    expect(rowsOf(shown)).toHaveLength(31);
    expect(shown.split("\n")[1]).toBe("32 rows; the first 31 are shown");
  });
});

describe("a query that is refused", () => {
  it.each([
    "commit",
    "rollback",
    "set transaction read write",
    "insert into customers values (99)",
    "update customers set name = ''",
    "delete from customers",
    "drop table customers",
    "copy customers to program 'true'",
    "do $$ begin end $$",
    "select 1; commit; drop table customers",
    "select 1; select 2",
    "with x as (delete from customers returning *) select * from x",
    "select * into other from customers",
    "select * from customers for update",
    "select set_config('transaction_read_only', 'off', true)",
    "select nextval('customers_seq')",
    "",
  ])("%j changes nothing", async (text) => {
    await database.pool.query("create sequence if not exists customers_seq");
    const result = await world.run(query(text));
    expect(result).toMatchObject({ outcome: "failed", isError: true });
    const { rows } = await database.pool.query("select count(*)::int as n from customers where name <> ''");
    expect(rows).toEqual([{ n: 60 }]);
  });

  it("tells what PostgreSQL says of it", async () => {
    const { shown } = await world.run(query("select nonsense from customers"));
    expect(shown).toBe('The query failed: column "nonsense" does not exist');
  });

  it("runs on no connection that is not there", async () => {
    expect(await toolWorld().run(query("select 1"))).toMatchObject({
      outcome: "refused",
      shown: "The connection of the tool is not there",
    });
    const unnamed = runOf("DATABASE_QUERY", { query: "select 1" });
    expect(await world.run(unnamed)).toMatchObject({
      outcome: "refused",
      shown: "The tool names no connection",
    });
  });

  it.each([
    ["a query without its text", { connectionId: "conn_1", parameters: {} }],
    ["a text that does not end", { connectionId: "conn_1", query: "select 'x", parameters: {} }],
  ])("is one that cannot be read: %s", async (_what, config) => {
    expect(await world.try(runOf("DATABASE_QUERY", config))).toEqual({
      result: {
        ...{ outcome: "refused", shown: "The tool cannot be read", isError: true },
        evidence: { status: null, millis: null, bytes: null, sha256: null, host: null, rows: null },
      },
      request: null,
      response: null,
    });
  });

  it.each(["10.0.0.1", "169.254.169.254", "::1"])("runs on no private address: %s", async (host) => {
    const own = toolWorld({ connection: { ...connection, host } });
    expect(await own.try(query("select 1"))).toMatchObject({
      result: { outcome: "refused", shown: "The address of the database is not allowed" },
      request: { query: "select 1", parameters: [] },
    });
  });

  it("runs on no name with a private address among its addresses", async () => {
    const resolve = async () => ["127.0.0.1", "10.0.0.1"];
    const { run } = toolWorld({ connection: { ...connection, host: "db.example" }, resolve });
    expect(await run(query("select 1"))).toMatchObject({ outcome: "refused" });
  });
});

describe("a query that takes too long", () => {
  it("is ended by the database after 2 s, and its connection serves no other", async () => {
    const own = toolWorld({ connection });
    const asked = "select pg_sleep(60) as slept_here";
    expect(await own.run(query(asked))).toMatchObject({
      ...{ outcome: "timed_out", isError: true, shown: "The query took too long" },
    });
    expect(await own.run(query("select 1 as one"))).toMatchObject({ outcome: "answered" });
    await own.close();
  });

  it("is given up when nothing comes at all", async () => {
    const silent = await listening(() => undefined);
    const own = toolWorld({ connection: { ...connection, port: silent.port }, millis: 300 });
    expect(await own.run(query("select 1"))).toMatchObject({ outcome: "timed_out" });
    await silent.close();
  });

  it("holds two connections at the most: a third waits its turn", async () => {
    const own = toolWorld({ connection });
    const asked = Array.from({ length: 6 }, () => own.run(query("select pg_sleep(0.2), 'third-waits' as x")));
    let most = 0;
    let isOver = false;
    const all = Promise.all(asked).finally(() => {
      isOver = true;
    });
    const counted = eventually("all answers", async () => {
      const { rows } = await database.pool.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where application_name = 'ringfold-tool' and datname = current_database()",
      );
      most = Math.max(most, rows[0]?.n ?? 0);
      return isOver;
    });
    expect((await all).map(({ outcome }) => outcome)).toEqual(Array(6).fill("answered"));
    await counted;
    await own.close();
    // The world of this file may hold two of its own.
    expect(most).toBeLessThanOrEqual(4);
  });
});

describe("whatever a query leaves behind", () => {
  it("is gone for the next one", async () => {
    const own = toolWorld({ connection });
    await own.run(query("select pg_advisory_lock(77), set_config('application_name', 'mine', false)"));
    const held = await own.run(
      query("select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = 77"),
    );
    expect(rowsOf(held.shown)).toEqual([{ n: 0 }]);
    await own.close();
  });
});

it("says nothing of a database that cannot be had, and never its password", async () => {
  const refusing = await listening((socket) => socket.destroy());
  const password = "very-secret-password";
  const own = toolWorld({ connection: { ...connection, port: refusing.port, password } });
  const trial = await own.try(query("select 1"));
  expect(trial.result).toMatchObject({
    outcome: "failed",
    shown: "The database cannot be used at the moment",
  });
  expect(JSON.stringify(trial)).not.toContain(password);
  await refusing.close();
});

describe("what a failed query says", () => {
  it("hides the password of its connection in PostgreSQL's own words", async () => {
    const { shown } = await world.run(
      query("select cast(:word as integer)", {}, { arguments: { word: `x${connection.password}x` } }),
    );
    expect(shown).toBe('The query failed: invalid input syntax for type integer: "x[redacted]x"');
  });

  it("is nothing of the database's own when its connection was ended", async () => {
    const result = await world.run(query("select pg_terminate_backend(pg_backend_pid())"));
    expect([result.outcome, result.shown]).toEqual(["failed", "The database cannot be used at the moment"]);
    expect(await world.run(query("select 1"))).toMatchObject({ outcome: "answered" });
  });

  it("is that it was broken off when the call is over, at once", async () => {
    const over = new AbortController();
    const running = world.run(query("select pg_sleep(1.9)", {}, { signal: over.signal }));
    over.abort();
    const { outcome, shown, evidence } = await running;
    expect([outcome, shown, evidence.host]).toEqual(["failed", "It was broken off", "127.0.0.1"]);
  });
});

it("takes a name without an entry from the arguments before the variables, and NULL when neither has it", async () => {
  const { shown } = await world.run(
    query(
      "select :a::text as a, :b::text as b, :none::text as none",
      {},
      {
        arguments: { a: "argument" },
        variables: { a: "variable", b: "variable" },
      },
    ),
  );
  expect(rowsOf(shown)).toEqual([{ a: "argument", b: "variable", none: null }]);
});

it("reads no more than 4 MiB", async () => {
  const own = toolWorld({ connection });
  const { outcome, shown } = await own.run(
    query("select repeat('x', 200000) as a from generate_series(1, 51)"),
  );
  expect([outcome, shown]).toEqual(["failed", "The query answered with more than 4 MiB"]);
  await own.close();
});

describe("a server that breaks the protocol", () => {
  /** A message of the protocol, version 3. */
  const message = (kind: string, body: readonly number[]) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(kind), length, Buffer.from(body)]);
  };

  it.each([
    ["an authentication that is shorter than it says", message("R", [0])],
    ["an error without end", message("E", [83])],
  ])("%s ends the queries of its connection, and no others", async (_name, bytes) => {
    const hostile = await listening((socket) => socket.write(bytes));
    const own = toolWorld({ connection: { ...connection, port: hostile.port }, millis: 1_000 });
    const [broken, well] = await Promise.all([
      own.run(query("select 1")),
      world.run(query("select pg_sleep(0.2), 1 as one")),
    ]);
    expect(["failed", "timed_out"]).toContain(broken.outcome);
    expect(well.outcome).toBe("answered");
    // The next query begins anew.
    expect(["failed", "timed_out"]).toContain((await own.run(query("select 1"))).outcome);
    await own.close();
    await hostile.close();
  });
});

async function listening(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
