import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { type ApiUser, apiUser, type Wire } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { made } from "../api/support/things.ts";
import { MODES } from "../support/models/fake-answer.ts";
import { fakeModelServer } from "../support/models/fake-model-server.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";

const PATIENCE = 120_000;
const PATH = "/api/v1/rehearsals";
const CASES = 4;
const REPEAT = 5;
const RUNS = CASES * REPEAT;
/** Results that the first process stores before it is killed. */
const STORED = 6;

const env: Record<string, string> = {
  ...{ PORT: "0", LOG_LEVEL: "warn", BOOTSTRAP_API_KEY: randomBytes(24).toString("hex") },
  SECRETS_KEY: randomBytes(32).toString("base64"),
};
const programs: Program[] = [];
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-rehearsal-crash-"));
  database = await createTestDatabase();
  env["DATABASE_URL"] = database.connectionString;
  env["DATA_DIR"] = join(folder, "service");
}, PATIENCE);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

async function started(more: Readonly<Record<string, string>> = {}) {
  const program = startProgram(SERVICE, { ...env, ...more }, join(folder, "log"));
  programs.push(program);
  const [url, document] = await Promise.all([program.listening, loadDocument()]);
  return { program, user: apiUser({ url, document, key: env["BOOTSTRAP_API_KEY"] ?? "" }) };
}

async function rehearse(user: ApiUser, cases: number, repeat: number): Promise<string> {
  const texts = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
  const { id: assistantId } = await made(user, "/api/v1/assistants", texts);
  const body = {
    ...{ name: "Once more", assistantId, repeat },
    cases: Array.from({ length: cases }, (_, index) => ({
      name: `Case ${index}`,
      caller: { says: ["Yes, speaking.", "Good, thanks. Bye."] },
      expect: [{ says: "this is Ada" }],
    })),
  };
  const answer = await user.send("POST", PATH, { body });
  expect(answer.status).toBe(202);
  return `${PATH}/${answer.body.data.id}`;
}

async function read(user: ApiUser, path: string): Promise<Wire> {
  return (await user.send("GET", path)).body.data;
}

it(
  "goes on in the next process when its own is killed; what was begun three times is given up",
  async () => {
    const dying = await started({ CRASH_AT: `rehearsals.finish.before:${STORED + 1}` });
    const path = await rehearse(dying.user, CASES, REPEAT);
    expect((await dying.program.exited).signal).toBe("SIGKILL");
    const { rows: held } = await database.pool.query(
      "select id, begun from work.rehearsal_runs where status = 'running' order by id",
    );
    expect(held.length).toBeGreaterThan(0);
    expect(held.every(({ begun }) => begun === 1)).toBe(true);
    // As if it had died of the first of them two times before, and its hold were over.
    const [{ id: given }] = held;
    await database.pool.query(
      `update work.rehearsal_runs set held_until = now(), begun = case id when $1 then 3 else begun end
       where status = 'running'`,
      [given],
    );

    const next = await started();
    expect((await read(next.user, path)).status).toBe("running");
    const done = await eventually("the rehearsal to be done", async () => {
      const record = await read(next.user, path);
      return record.status === "done" ? record : null;
    });
    expect([done.passed, done.failed, done.errors]).toEqual([RUNS - 1, 0, 1]);
    const gaveUp = await read(next.user, `${path}/runs/${given}`);
    expect([gaveUp.status, gaveUp.problem]).toEqual(["error", expect.stringContaining("gave_up")]);
    const again =
      "select count(*)::int as runs from work.rehearsal_runs where begun = 2 and status = 'passed'";
    expect((await database.pool.query(again)).rows[0].runs).toBe(held.length - 1);
    await next.program.stop();
  },
  PATIENCE,
);

it(
  "is given back by a process that is stopped, as if nobody had begun it",
  async () => {
    const silent = await fakeModelServer(() => MODES.silent);
    const own = { LLM_BASE_URL: silent.url, LLM_API_KEY: "sk-test", LLM_MODEL: "fake-1" };
    const { program, user } = await started({ ...own, DATA_DIR: join(folder, "stopped") });
    const path = await rehearse(user, 1, 1);
    const isAsked = () => silent.asked.some((each) => each.path.endsWith("/chat/completions"));
    await eventually("the model to be asked", isAsked);
    expect((await program.stop()).code).toBe(0);
    await silent.close();
    const { rows } = await database.pool.query(
      "select status, begun, held_by from work.rehearsal_runs where rehearsal_id = $1",
      [path.split("/").at(-1)],
    );
    expect(rows).toEqual([{ status: "waiting", begun: 0, held_by: null }]);
  },
  PATIENCE,
);
