import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRunningEmbeddedPostgres } from "../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { type DrillFolder, makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { callable, campaignBody, made } from "../api/support/things.ts";
import { processesOf } from "../support/process-watch.ts";
import { type RawConnection, rawConnection } from "../support/raw-connection.ts";
import { type RawReceiver, rawReceiver } from "../support/raw-receiver.ts";

const PROGRAMS = join(import.meta.dirname, "../../programs");
const PATIENCE = 120_000;

let folder: DrillFolder;
let receiver: RawReceiver;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = makeDrillFolder();
  receiver = await rawReceiver(() => undefined); // takes every delivery and answers none
});
afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  await receiver.close();
  await folder.remove();
});

type Program = {
  readonly child: ChildProcess;
  readonly url: string;
  /** Exit code and `performance.now()`. */
  readonly exit: Promise<{ readonly code: number | null; readonly at: number }>;
  /** What it wrote to its log, on stderr. */
  readonly log: () => string;
};

async function start(file: string, env: Readonly<Record<string, string>>): Promise<Program> {
  const child = spawn(process.execPath, [join(PROGRAMS, file)], {
    env: { PATH: process.env["PATH"], LOG_LEVEL: "error", PORT: "0", SIMULATOR_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const exit = once(child, "exit").then(([code]) => ({ code, at: performance.now() }));
  const url = await eventually(
    `${file} to listen`,
    () => /listens on (http\S+)(?= )/.exec(out)?.[1],
    PATIENCE,
  );
  return { child, url, exit, log: () => log };
}

/** Waits for nothing. */
function spawnService(env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, [join(PROGRAMS, "start.js")], {
    env: {
      PATH: process.env["PATH"],
      LOG_LEVEL: "error",
      PORT: "0",
      DATA_DIR: join(folder.path, "data"),
      ...env,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  return child;
}

type Service = Program & { readonly user: ApiUser; readonly key: string };

async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const key = randomBytes(24).toString("hex");
  const program = await start("start.js", {
    DATA_DIR: join(folder.path, "data"),
    BOOTSTRAP_API_KEY: key,
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    PLAN_MAX_CONCURRENT_CALLS: "200",
    PLAN_MAX_CALLS_PER_SECOND: "20",
    ...env,
  });
  return { ...program, key, user: apiUser({ url: program.url, document: await loadDocument(), key }) };
}

async function callsAreMade(user: ApiUser): Promise<void> {
  await user.send("PUT", "/api/v1/webhook", { body: { url: receiver.url, enabled: true } });
  const contacts = Array.from({ length: 900 }, (_, index) => ({
    phoneNumber: `+1202555${String(1_000 + index)}`,
  }));
  const { campaign } = await made(
    user,
    "/api/v1/campaigns",
    campaignBody(await callable(user), { contacts, timezone: "UTC" }),
  );
  await user.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
}

/** When the carrier got each dial request, in ms since 1970. */
async function dials(carrier: Program): Promise<readonly number[]> {
  const journal = await (await fetch(`${carrier.url}/journal`)).text();
  return journal
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Date.parse(JSON.parse(line).at));
}

/** One connection of each kind. */
async function connections({ url, key }: Service) {
  const lines = (first: string, ...more: string[]) =>
    [first, "host: x", `authorization: Bearer ${key}`, ...more, "", ""].join("\r\n");
  const post = (body: string, length: number) =>
    lines("POST /api/v1/squads HTTP/1.1", "content-type: application/json", `content-length: ${length}`) +
    body;
  const follow = lines("GET /api/v1/events HTTP/1.1", "accept: text/event-stream");
  const follower = await rawConnection(url, follow);
  const idle = await rawConnection(url, lines("GET /health/live HTTP/1.1"));
  const silent = await rawConnection(url, "");
  const halfHeader = await rawConnection(url, "GET /health/live HTTP/1.1\r\nho");
  const halfBody = await rawConnection(url, post('{"name":', 100));
  const inFlight = await rawConnection(url, post('{"name":', 16));
  await eventually("the stream", () => follower.text().includes(": connected"));
  await eventually("the answer", () => idle.text().includes("200 OK"));
  // What came before it has been read: the requests without an end are under way.
  const last = await rawConnection(url, lines("GET /health/live HTTP/1.1"));
  await eventually("the last answer", () => last.text().includes("200 OK"));
  last.socket.destroy();
  return { follower, idle, silent, halfHeader, halfBody, inFlight };
}

/** On a busy machine some lines ring when their calls are over, which is told and mended. */
const complaints = ({ log }: Program): readonly string[] =>
  log()
    .split("\n")
    .filter((line) => line !== "" && !line.includes("line of a call that is over"));

const takes = async ({ closed }: RawConnection, since: number) => (await closed) - since;

/** In front of the carrier: it passes nothing on before `letThrough`. */
async function silentLine(carrier: Program): Promise<RawReceiver & { readonly letThrough: () => void }> {
  const { promise: open, resolve: letThrough } = Promise.withResolvers<void>();
  const line = await rawReceiver((socket) => {
    void open.then(() => {
      const onward = connect(Number(new URL(carrier.url).port), "127.0.0.1");
      onward.on("error", () => socket.destroy());
      socket.on("close", () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
  });
  return { ...line, letThrough };
}

/** The last step of a start, which makes the first key, waits from now on until `go`. */
async function holdUpFirstRun() {
  const connection = findRunningEmbeddedPostgres(join(folder.path, "data"));
  if (connection === null) throw new Error("no database");
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  await client.query("select pg_advisory_lock(hashtextextended('ringfold first run', 0))");
  const reached = async () => {
    const { rows } = await client.query("select from pg_locks where locktype = 'advisory' and not granted");
    return rows.length > 0;
  };
  return { reached, go: () => client.end() };
}

async function nothingIsLeft(): Promise<void> {
  await eventually("the end of every process", () => processesOf(folder.path).length === 0, 5_000);
  expect(existsSync(join(folder.path, "data/postgres/data/postmaster.pid"))).toBe(false);
}

/** What is not at once waits until the cut, 10 s after the signal. */
const AT_ONCE_MILLIS = 6_000;

describe("npm start, told to stop", () => {
  it(
    "dials nobody any more, ends streams and idle connections at once, finishes requests, cuts the rest at 10 s",
    async () => {
      const carrier = await start("carrier.ts", { SIMULATOR_DATA_DIR: join(folder.path, "carrier") });
      const service = await startService({ SIMULATOR_URL: carrier.url, LOG_LEVEL: "warn" });
      await callsAreMade(service.user);
      const { follower, idle, silent, halfHeader, halfBody, inFlight } = await connections(service);
      await eventually("dials", async () => (await dials(carrier)).length > 20);
      await eventually("a delivery that hangs", () => receiver.sockets.length > 0);

      const since = performance.now();
      service.child.kill("SIGTERM");
      for (const one of [follower, idle, silent, halfHeader])
        expect(await takes(one, since)).toBeLessThan(AT_ONCE_MILLIS);
      const heard = Date.now();
      expect(follower.text()).toContain('event: closing\ndata: {"reason":"stopping"}\n\n');
      inFlight.socket.write('"Night"}');
      expect(await takes(inFlight, since)).toBeLessThan(AT_ONCE_MILLIS);
      expect(inFlight.text()).toMatch(/^HTTP\/1.1 201 /);
      const { code, at } = await service.exit;
      expect([code, complaints(service)]).toEqual([0, []]);
      expect(at - since).toBeLessThan(12_000);
      expect(await takes(halfBody, since)).toBeGreaterThan(9_500);
      const late = (await dials(carrier)).filter((dial) => dial > heard + 500);
      expect(late).toEqual([]);

      carrier.child.kill("SIGTERM");
      expect((await carrier.exit).code).toBe(0);
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "at SIGHUP, delivered twice within a second, ends in order within moments when nothing is under way",
    async () => {
      const service = await startService();
      const follower = await rawConnection(
        service.url,
        `GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.key}\r\naccept: text/event-stream\r\n\r\n`,
      );
      await rawConnection(service.url, "");
      await eventually("the stream", () => follower.text().includes(": connected"));
      const since = performance.now();
      service.child.kill("SIGHUP");
      service.child.kill("SIGHUP");
      const { code, at } = await service.exit;
      expect([code, at - since < AT_ONCE_MILLIS]).toEqual([0, true]);
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "a second time, more than a second later, ends at once with 128 and the signal's number",
    async () => {
      const service = await startService();
      const { halfBody } = await connections(service);
      service.child.kill("SIGTERM");
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(halfBody.socket.destroyed).toBe(false);
      const since = performance.now();
      service.child.kill("SIGINT");
      const { code, at } = await service.exit;
      expect([code, at - since < AT_ONCE_MILLIS]).toEqual([130, true]);
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "while it starts, ends in order as soon as it has started",
    async () => {
      const child = spawnService();
      await eventually("its first file", () => existsSync(join(folder.path, "data/postgres")));
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      expect(code).toBe(0);
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "while it starts and the carrier is silent, waits for it no longer and dials nobody, also of a campaign under way",
    async () => {
      const carrier = await start("carrier.ts", { SIMULATOR_DATA_DIR: join(folder.path, "carrier") });
      const first = await startService({ SIMULATOR_URL: carrier.url });
      await callsAreMade(first.user);
      await eventually("dials", async () => (await dials(carrier)).length > 5);
      first.child.kill("SIGTERM");
      await first.exit;
      const before = await dials(carrier);

      const line = await silentLine(carrier);
      const child = spawnService({
        SIMULATOR_URL: new URL(line.url).origin,
        PLAN_MAX_CONCURRENT_CALLS: "200",
        PLAN_MAX_CALLS_PER_SECOND: "20",
      });
      const exit = once(child, "exit");
      await eventually("the question to the carrier", () => line.sockets.length > 0, PATIENCE);
      const firstRun = await holdUpFirstRun();
      child.kill("SIGTERM");
      // With a carrier that does not answer a start waits 10 s.
      await eventually("the end of the start", firstRun.reached, 5_000);
      line.letThrough();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await firstRun.go();
      expect((await exit)[0]).toBe(0);
      expect(await dials(carrier)).toEqual(before);
      await line.close();

      carrier.child.kill("SIGTERM");
      await carrier.exit;
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "by a reader of its log that goes away, ends in order",
    async () => {
      const service = await startService({ LOG_LEVEL: "info" });
      service.child.stderr?.destroy();
      // Refused without a key, and so a line of the log.
      await fetch(`${service.url}/api/v1/campaigns`).catch(() => undefined);
      const { code } = await service.exit;
      expect(code).toBe(0);
      await nothingIsLeft();
    },
    PATIENCE,
  );
});
