import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import {
  findRunningEmbeddedPostgres,
  joinOrStartEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { isRunning } from "../../../../infrastructure/postgres/embedded/process-info.ts";
import { ask, eventually, hold, start, temporaryFolder } from "./data-dirs.ts";
import { serverOf } from "./holder.ts";

const show = (names: string[]) => `select ${names.map((name) => `current_setting('${name}')`).join(", ")}`;

it("makes a UTF-8 database with a builtin locale and checksums, whatever the machine's locale", async () => {
  const { connection } = await start({ dataDir: join(temporaryFolder(), "new", "data") });
  const database =
    "select pg_encoding_to_char(encoding), datlocprovider, datlocale from pg_database where datname=";
  expect([
    ...(await ask(connection, `${database} 'ringfold'`)),
    ...(await ask(connection, show(["data_checksums", "is_superuser"]))),
  ]).toEqual(["UTF8", "b", "C.UTF-8", "on", "on"]);
});

it("is durable unless told otherwise, and listens on no port", async () => {
  const server = await startEmbeddedPostgres({ dataDir: temporaryFolder(), settings: { work_mem: "5MB" } });
  const names = ["fsync", "synchronous_commit", "full_page_writes", "max_connections", "jit", "TimeZone"];
  const more = ["idle_in_transaction_session_timeout", "listen_addresses", "work_mem"];
  const shown = await ask(server.connection, show([...names, ...more]));
  await server.stop();
  expect(shown).toEqual(["on", "on", "on", "50", "off", "UTC", "1min", "", "5MB"]);
});

it("samples a large table for its statistics, and not again before it has grown by half", async () => {
  const { connection } = await start({ dataDir: temporaryFolder() });
  await ask(connection, "create table big as select n from generate_series(1, 60000) n");
  const sampled = new pg.Client(connection);
  const notices: string[] = [];
  sampled.on("notice", ({ message }) => notices.push(message ?? ""));
  await sampled.connect();
  await sampled.query("analyze verbose big");
  await sampled.end();
  expect(notices.join()).toContain("6000 rows in sample");
  expect(await ask(connection, show(["autovacuum_analyze_scale_factor"]))).toEqual(["0.5"]);
});

it("keeps everything from one start to the next, and nothing runs in between", async () => {
  const dataDir = temporaryFolder();
  const first = await start({ dataDir });
  await ask(first.connection, "create table kept as select 42 as x");
  await first.stop();
  expect([isRunning(first.pid), findRunningEmbeddedPostgres(dataDir)]).toEqual([false, null]);
  const second = await start({ dataDir });
  expect(await ask(second.connection, "select x from kept")).toEqual([42]);
});

it("tells the second process on a DATA_DIR who holds it", async () => {
  const dataDir = temporaryFolder();
  const holder = hold({ dataDir });
  await serverOf(holder);
  const held = `DATA_DIR ${dataDir} is held by another process (pid ${holder.process.pid}, holder-program.ts)`;
  await expect(start({ dataDir })).rejects.toMatchObject({
    code: "held",
    message: expect.stringContaining(held),
  });
});

it("lets exactly one of two starts at the same moment have a new DATA_DIR", async () => {
  const dataDir = temporaryFolder();
  const said = await Promise.all([hold({ dataDir }), hold({ dataDir })].map((holder) => holder.said));
  expect(said.map((answer) => ("code" in answer ? answer.code : "started")).sort()).toEqual([
    "held",
    "started",
  ]);
});

it("lets a tool join the server of a running service and leaves it running", async () => {
  const dataDir = temporaryFolder();
  const holder = hold({ dataDir });
  await eventually(() => existsSync(join(dataDir, "postgres", "owner.json")));
  const tool = await joinOrStartEmbeddedPostgres({ dataDir, fsync: false });
  const service = await serverOf(holder);
  await tool.stop();
  expect(tool.connection).toEqual(service.connection);
  expect(await ask(service.connection, "select 1")).toEqual([1]);
});

it("lets a tool start the server when no service runs, and stops it again", async () => {
  const dataDir = temporaryFolder();
  const tool = await joinOrStartEmbeddedPostgres({ dataDir, fsync: false });
  expect(await ask(tool.connection, "select 1")).toEqual([1]);
  await tool.stop();
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
});

it("finds nothing in a DATA_DIR that does not exist", () => {
  expect(findRunningEmbeddedPostgres(join(temporaryFolder(), "missing"))).toBeNull();
});

it("stops the server at SIGTERM and ends with exit code 0", async () => {
  const dataDir = temporaryFolder();
  const holder = hold({ dataDir });
  const { pid } = await serverOf(holder);
  holder.process.kill("SIGTERM");
  expect([await holder.ended, isRunning(pid)]).toEqual([{ code: 0, signal: null }, false]);
});

it("puts the socket into a short folder elsewhere when the path is too long, and removes it", async () => {
  const dataDir = join(temporaryFolder(), "x".repeat(100));
  const { connection, stop } = await start({ dataDir });
  expect(connection.host.startsWith(dataDir)).toBe(false);
  expect(await ask(connection, "select 1")).toEqual([1]);
  await stop();
  expect(existsSync(connection.host)).toBe(false);
});

it("takes a DATA_DIR with spaces, commas, quotes and other letters in its name", async () => {
  const { connection } = await start({ dataDir: join(temporaryFolder(), `my, "dätä' $(dir)`) });
  expect(await ask(connection, "select 1")).toEqual([1]);
});

it("wants the password over TCP, where a system has no Unix sockets", async () => {
  const { connection } = await start({ dataDir: temporaryFolder(), transport: "tcp" });
  expect([connection.host, await ask(connection, "select 1")]).toEqual(["127.0.0.1", [1]]);
  await expect(ask({ ...connection, password: "wrong" }, "select 1")).rejects.toThrow(
    "authentication failed",
  );
});

it("writes neither failed statements nor their values into the log", async () => {
  const lines: string[] = [];
  const dataDir = temporaryFolder();
  const server = await start({
    dataDir,
    log: (_level, message, fields) => lines.push(message + fields["line"]),
  });
  await expect(ask(server.connection, "select '+15005550006'::date")).rejects.toThrow("out of range");
  await server.stop();
  expect(lines.join("\n")).toContain("database system is shut down");
  expect(lines.join("\n") + (await server.exited).stderrTail).not.toContain("+15005550006");
});

it("makes a password that only the server's user reads", async () => {
  const dataDir = temporaryFolder();
  await start({ dataDir });
  const file = join(dataDir, "postgres", "password");
  expect([statSync(file).mode & 0o777, readFileSync(file, "utf8")]).toEqual([
    0o600,
    expect.stringMatching(/^[0-9a-f]{48}$/),
  ]);
});
