import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { findRunningEmbeddedPostgres } from "../../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { isRunning, readProcess } from "../../../../infrastructure/postgres/embedded/process-info.ts";
import { ask, eventually, gone, hold, start, temporaryFolder } from "./data-dirs.ts";
import { serverOf } from "./holder.ts";

/** A cluster whose server was killed, so that its postmaster.pid is still there. */
async function crashedCluster(): Promise<{ dataDir: string; pidFile: string }> {
  const dataDir = temporaryFolder();
  const server = await start({ dataDir });
  process.kill(server.pid, "SIGKILL");
  await server.exited;
  return { dataDir, pidFile: join(dataDir, "postgres", "data", "postmaster.pid") };
}

function claim(pidFile: string, pid: number): void {
  writeFileSync(pidFile, readFileSync(pidFile, "utf8").replace(/^\d+/, String(pid)));
}

/** Every process whose command line names this folder, zombies apart. */
function processesOf(folder: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isRunning(pid) && readProcess(pid)?.commandLine.includes(folder));
}

it("leaves no server behind when Node is killed with -9, and the next start has the data", async () => {
  const dataDir = temporaryFolder();
  const holder = hold({ dataDir });
  const { pid, connection } = await serverOf(holder);
  await ask(connection, "create table kept as select 42 as x");
  holder.process.kill("SIGKILL");
  await gone(pid);
  const next = await start({ dataDir });
  expect(await ask(next.connection, "select x from kept")).toEqual([42]);
});

it("starts at once after kill -9 of Node, while the old server is still going down", async () => {
  const dataDir = temporaryFolder();
  for (let round = 0; round < 3; round += 1) {
    const holder = hold({ dataDir });
    await serverOf(holder);
    holder.process.kill("SIGKILL");
    await holder.ended;
  }
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
  expect(await ask((await start({ dataDir })).connection, "select 1")).toEqual([1]);
});

it("stops a server whose Node and guard were both killed, and goes on with its data", async () => {
  const dataDir = temporaryFolder();
  const holder = hold({ dataDir });
  const { pid, connection } = await serverOf(holder);
  await ask(connection, "create table kept as select 42 as x");
  // The supervisor and its guard name the folder in their arguments as the server does.
  for (const other of processesOf(dataDir))
    if (other !== pid && !isServerPart(other)) process.kill(other, "SIGKILL");
  await holder.ended;
  expect(isRunning(pid)).toBe(true);
  const next = await start({ dataDir });
  expect([isRunning(pid), await ask(next.connection, "select x from kept")]).toEqual([false, [42]]);
});

function isServerPart(pid: number): boolean {
  return !/(^\/bin\/sh |holder-program)/.test(readProcess(pid)?.commandLine ?? "");
}

it("ignores a signal that is sent to everybody: only Node decides when the server stops", async () => {
  const server = await start({ dataDir: temporaryFolder() });
  const supervisor = Number(readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  process.kill(supervisor, "SIGTERM");
  process.kill(supervisor, "SIGINT");
  expect(await ask(server.connection, "select 1")).toEqual([1]);
});

it("tells that the server died, and starts again on its data", async () => {
  const dataDir = temporaryFolder();
  const server = await start({ dataDir });
  await ask(server.connection, "create table kept as select 42 as x");
  process.kill(server.pid, "SIGKILL");
  expect(await server.exited).toMatchObject({ code: null, signal: "SIGKILL" });
  const next = await start({ dataDir });
  expect(await ask(next.connection, "select x from kept")).toEqual([42]);
});

it("starts beside a postmaster.pid that names a dead process", async () => {
  const { dataDir, pidFile } = await crashedCluster();
  const dead = spawn("true");
  await once(dead, "exit");
  claim(pidFile, dead.pid ?? 0);
  expect(await ask((await start({ dataDir })).connection, "select 1")).toEqual([1]);
});

it("starts beside a postmaster.pid whose pid belongs to a stranger now, and leaves him alone", async () => {
  const { dataDir, pidFile } = await crashedCluster();
  const stranger = spawn("sleep", ["600"]);
  onTestFinished(() => void stranger.kill());
  claim(pidFile, stranger.pid ?? 0);
  const { connection } = await start({ dataDir });
  expect([await ask(connection, "select 1"), isRunning(stranger.pid ?? 0)]).toEqual([[1], true]);
});

it("starts beside a postmaster.pid that names a zombie", async () => {
  const { dataDir, pidFile } = await crashedCluster();
  const zombie = await makeZombie();
  claim(pidFile, zombie);
  expect(await ask((await start({ dataDir })).connection, "select 1")).toEqual([1]);
});

/** A child that ends after its parent has become a program that never asks about its children. */
async function makeZombie(): Promise<number> {
  const script = "exec 3<&0; cat <&3 & echo $!; exec sleep 600";
  const parent = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill());
  const child = Number((await once(createInterface(parent.stdout), "line"))[0]);
  await eventually(() => readProcess(parent.pid ?? 0)?.commandLine.startsWith("sleep") === true);
  parent.stdin.end();
  await eventually(() => readProcess(child)?.zombie === true);
  return child;
}

it("does not take a later process with the same pid for the owner", async () => {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, "postgres"), { mode: 0o700 });
  const owner = { token: "old", pid: process.ppid, startMark: "1", program: "start.ts", connection: null };
  writeFileSync(join(dataDir, "postgres", "owner.json"), JSON.stringify(owner));
  expect(await ask((await start({ dataDir })).connection, "select 1")).toEqual([1]);
});

it("begins anew when initdb was killed in the middle", async () => {
  const dataDir = temporaryFolder();
  const home = join(dataDir, "postgres");
  const holder = hold({ dataDir });
  await eventually(() =>
    namesIn(home).some((name) => name.startsWith("data.new") && namesIn(join(home, name)).length > 5),
  );
  holder.process.kill("SIGKILL");
  await holder.ended;
  expect(namesIn(home)).not.toContain("data");
  await start({ dataDir });
  expect(namesIn(home).filter((name) => name.startsWith("data"))).toEqual(["data"]);
});

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

it("loses no acknowledged row, whoever is killed with -9 in the middle of writing", async () => {
  const dataDir = temporaryFolder();
  const acknowledged: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const holder = hold({ dataDir, fsync: true });
    const { pid, connection } = await serverOf(holder);
    await ask(connection, "create table if not exists written (x int primary key)");
    const writing = [0, 1, 2, 3].map((writer) =>
      writeUntilCut(connection, round * 1e6 + writer * 1e5, acknowledged),
    );
    const enough = acknowledged.length + 200;
    await eventually(() => acknowledged.length >= enough);
    if (round % 2 === 0) process.kill(pid, "SIGKILL");
    holder.process.kill("SIGKILL");
    await Promise.all([...writing, holder.ended]);
  }
  const { connection } = await start({ dataDir, fsync: true });
  const stored = new Set(await ask(connection, "select x from written"));
  expect(acknowledged.filter((x) => !stored.has(x))).toEqual([]);
});

async function writeUntilCut(
  connection: pg.ClientConfig,
  first: number,
  acknowledged: number[],
): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  try {
    await client.connect(); // one that is slow to begin may meet the kill here
    for (let x = first; ; x += 1) {
      await client.query("insert into written values ($1)", [x]);
      acknowledged.push(x);
    }
  } catch {
    await client.end().catch(() => undefined);
  }
}
