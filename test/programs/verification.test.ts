import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { type ApiUser, apiUser, type Wire } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { callable, endedCall } from "../api/support/things.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";
import { runProgram } from "./run-program.ts";

const PATIENCE = 120_000;
const PATH = "/api/v1/policy/verifications";
/** Simulated callees: docs/api-by-example.md. */
const BUSY = "+15005550002";
const DIALS = 3;
const ONCE = { attemptsPerNumber: { month: 1 }, oneCallAtATime: false };

const env: Record<string, string> = {
  ...{
    PORT: "0",
    LOG_LEVEL: "warn",
    SIMULATOR_SPEED: "50",
    BOOTSTRAP_API_KEY: randomBytes(24).toString("hex"),
  },
  SECRETS_KEY: randomBytes(32).toString("base64"),
};
const programs: Program[] = [];
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-verification-"));
  database = await createTestDatabase();
  env["DATABASE_URL"] = database.connectionString;
  env["DATA_DIR"] = join(folder, "service");
}, PATIENCE);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

async function started(): Promise<ApiUser> {
  const program = startProgram(SERVICE, env, join(folder, "log"));
  programs.push(program);
  const [url, document] = await Promise.all([program.listening, loadDocument()]);
  return apiUser({ url, document, key: env["BOOTSTRAP_API_KEY"] ?? "" });
}

it(
  "goes on in the next process when its own dies in the middle, and finds the same as a second one beside it",
  async () => {
    const dying = await started();
    const ready = await callable(dying);
    for (let nth = 0; nth < DIALS; nth += 1) {
      const body = { ...ready, to: BUSY, timezone: "Europe/Istanbul" };
      await endedCall(dying, (await dying.send("POST", "/api/v1/calls/outbound", { body })).body.callId);
    }
    const { id } = (await dying.send("POST", PATH, { body: { policy: ONCE } })).body.data;
    const read = async (user: ApiUser): Promise<Wire> => (await user.send("GET", `${PATH}/${id}`)).body.data;
    await eventually("a thread that reads", async () => (await read(dying)).status === "running");
    programs[0]?.signal("SIGKILL");
    await programs[0]?.exited;

    const next = await started();
    expect(["queued", "running"]).toContain((await read(next)).status);
    await eventually("the verification to be done", async () => (await read(next)).status === "done");
    const { dials, violations } = await read(next);
    expect([dials, violations.count, violations.byRule, violations.items.length]).toEqual([
      ...[DIALS, DIALS - 1, { attemptsPerNumber: DIALS - 1 }, DIALS - 1],
    ]);

    const file = join(folder, "policy.json");
    await writeFile(file, JSON.stringify(ONCE));
    const replayed = await runProgram("replay.ts", ["--policy", file], env);
    expect([replayed.code, replayed.stderr]).toEqual([1, ""]);
    const lines = replayed.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(DIALS);
    expect(lines.at(-1)).toBe(`${DIALS} dials, ${DIALS - 1} violations`);
    expect(lines[0]).toMatch(
      /^\S+Z attemptsPerNumber \+15005550002 call_\w+ \(single call\): 1, limit 1\/month$/,
    );
  },
  PATIENCE * 2,
);

it(
  "a policy that nothing breaks exits with 0, what cannot be read with 2",
  async () => {
    const [off, wrong] = [join(folder, "off.json"), join(folder, "wrong.json")];
    await writeFile(off, JSON.stringify({ oneCallAtATime: false }));
    await writeFile(wrong, JSON.stringify({ attemptsPerNumber: { day: 0 } }));
    const kept = await runProgram("replay.ts", ["--policy", off, "--json"], env);
    expect([kept.code, JSON.parse(kept.stdout)]).toEqual([
      0,
      { dials: DIALS, count: 0, byRule: {}, unverifiable: [] },
    ]);
    const invalid = await runProgram("replay.ts", ["--policy", wrong], env);
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining("attemptsPerNumber.day")]);
    const missing = await runProgram("replay.ts", ["--policy", join(folder, "none.json")], env);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("ENOENT")]);
    const away = await runProgram("replay.ts", ["--policy", off], {
      ...env,
      DATABASE_URL: "postgres://127.0.0.1:1/x",
    });
    expect([away.code, away.stdout]).toEqual([2, ""]);
  },
  PATIENCE,
);
