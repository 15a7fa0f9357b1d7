import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { processesOf } from "../support/process-watch.ts";
import { runProgram } from "./run-program.ts";

const START = join(import.meta.dirname, "../../programs/start.js");
const API_KEY = join(import.meta.dirname, "../../programs/api-key.ts");
const FOR_THE_OPERATOR = ["--owner", "operator", "--scopes", "admin"];
const FIRST_KEY = "the-first-key-of-this-test";

describe("npm run api-key, beside a running service with its own database", () => {
  let folder: string;
  let service: ChildProcess;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ringfold-api-key-"));
    const env = { PATH: process.env["PATH"], LOG_LEVEL: "silent", PORT: "0", DATA_DIR: folder };
    service = spawn(process.execPath, [START], {
      env: { ...env, BOOTSTRAP_API_KEY: FIRST_KEY },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    service.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    url = await eventually("the service to listen", () => /listens on (\S+)/.exec(out)?.[1], 90_000);
  }, 120_000);
  afterAll(async () => {
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    await ended;
    await removeFolder(folder);
  });

  const apiKey = (...args: readonly string[]) => runProgram("api-key.ts", args, { DATA_DIR: folder });
  const account = async (key: string) => {
    const answer = await fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };

  it("makes a key for an owner by name or id, prints it once, and it is worth something at once", async () => {
    const made = await apiKey("--owner", "operator", "--scopes", "admin,operator", "--name", "Back in");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const key = made.stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(key).toMatch(/^va_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
    const { status, body } = await account(key);
    expect(status).toBe(200);
    const reader = await apiKey("--owner", body.data.id, "--scopes", "calls:read");
    const other = await account(reader.stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(other.status).toBe(403);
    const list = await fetch(`${url}/api/v1/api-keys`, { headers: { authorization: `Bearer ${FIRST_KEY}` } });
    const names = JSON.parse(await list.text()).data.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(["made on the machine", "Back in", "first key"]);
  });

  it.each([
    ["without an owner", ["--scopes", "admin"], "--owner and --scopes are needed"],
    ["with an unknown scope", ["--owner", "operator", "--scopes", "admin,all"], 'There is no scope "all"; '],
    ["with an unknown option", ["--owner", "operator", "--scope", "admin"], "Unknown option '--scope'"],
  ])("says what is wrong, and its usage, %s", async (_what, args, mistake) => {
    const run = await apiKey(...args);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    const [told, usage, ...more] = run.stderr.trimEnd().split("\n");
    expect(told).toContain(mistake);
    expect([usage, more]).toEqual([expect.stringMatching(/^Usage: npm run api-key -- --owner/), []]);
  });

  it.each([
    [
      "for an owner that is not there",
      ["--owner", "Nobody", "--scopes", "admin"],
      /^There is no owner Nobody; there are usr_\w+ \(operator\)\.$/,
    ],
  ])("says in one line what is wrong %s", async (_what, args, expected) => {
    const run = await apiKey(...args);
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr.trimEnd()).toMatch(expected);
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("whose reader has gone says nothing of it", async () => {
    const child = spawn(process.execPath, [API_KEY, ...FOR_THE_OPERATOR], {
      env: { PATH: process.env["PATH"], LOG_LEVEL: "error", DATA_DIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.destroy();
    const [code] = await once(child, "exit");
    expect([code, said]).toEqual([0, ""]);
  });

  it("explains itself, and makes no new database where there is none", async () => {
    const help = await apiKey("--help");
    expect([help.code, help.stdout.split("\n")[0]]).toEqual([0, expect.stringMatching(/^Usage: /)]);
    const nowhere = join(folder, "nowhere");
    const args = ["--owner", "operator", "--scopes", "admin"];
    const missing = await runProgram("api-key.ts", args, { DATA_DIR: nowhere });
    expect([missing.code, missing.stderr]).toEqual([
      1,
      `There is no DATA_DIR ${nowhere}. Name the one of the service.\n`,
    ]);
  });
});

it("npm run api-key, stopped while it starts a database of its own, ends in order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ringfold-api-key-"));
  chmodSync(folder, 0o755); // as root the database runs as another user, who has to get in
  const child = spawn(process.execPath, [API_KEY, ...FOR_THE_OPERATOR], {
    env: { PATH: process.env["PATH"], LOG_LEVEL: "error", DATA_DIR: folder },
    stdio: "ignore",
  });
  await eventually("its database", () => existsSync(join(folder, "postgres/data/postmaster.pid")), 90_000);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect([code, processesOf(folder)]).toEqual([143, []]);
  expect(existsSync(join(folder, "postgres/data/postmaster.pid"))).toBe(false);
  await removeFolder(folder);
}, 120_000);
