import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { type Document, loadDocument } from "../api/support/document.ts";
import { callable } from "../api/support/things.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";

const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const PATIENCE = 120_000;

type Dial = { readonly callId: string; readonly to: string };

describe.concurrent("an outbound start that is asked again", () => {
  const operatorKey = randomBytes(24).toString("hex");
  const programs: Program[] = [];
  let folder: string;
  let database: TestDatabase;
  let document: Document;
  let carrierUrl: string;
  let survivor: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ringfold-pair-"));
    database = await createTestDatabase();
    document = await loadDocument();
    carrierUrl = await begun(CARRIER, {
      SIMULATOR_PORT: "0",
      SIMULATOR_DATA_DIR: join(folder, "carrier"),
      SIMULATOR_SPEED: "100",
    }).listening;
    survivor = await service("survivor").listening;
  }, PATIENCE);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }, PATIENCE);

  function begun(file: string, env: Readonly<Record<string, string>>): Program {
    const program = startProgram(file, env, join(folder, "log"));
    programs.push(program);
    return program;
  }

  const secretsKey = randomBytes(32).toString("base64");
  /** One more on the same database and carrier; it dies at the named point. */
  const service = (name: string, crashAt?: string) =>
    begun(SERVICE, {
      PORT: "0",
      DATABASE_URL: database.connectionString,
      SECRETS_KEY: secretsKey,
      BOOTSTRAP_API_KEY: operatorKey,
      SIMULATOR_URL: carrierUrl,
      LOG_LEVEL: "warn",
      DATA_DIR: join(folder, name),
      ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
    });

  /** A new owner, at the survivor and at the other process. */
  async function ownerAt(otherUrl: string): Promise<{ readonly first: ApiUser; readonly second: ApiUser }> {
    const operator = apiUser({ url: survivor, document, key: operatorKey });
    const { body } = await operator.send("POST", "/api/v1/users", { body: { name: "Another owner" } });
    const as = (url: string) => apiUser({ url, document, key: body.data.apiKey.key });
    return { first: as(otherUrl), second: as(survivor) };
  }

  /** Dial requests that the carrier ever got for the number. */
  async function dialsTo(number: string): Promise<readonly Dial[]> {
    const journal = await (await fetch(`${carrierUrl}/journal`)).text();
    const lines = journal.split("\n").filter((line) => line !== "");
    return lines.map((line): Dial => JSON.parse(line)).filter(({ to }) => to === number);
  }

  const start = (user: ApiUser, ready: object, to: string) =>
    user.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to },
      headers: { "idempotency-key": "one-call" },
    });

  it.each([
    ["eventStore.append.CallRequested.after", "+12025550101"],
    ["carrier.placeCall.after", "+12025550102"],
  ])(
    "at another process, because the first died %s, rings nobody twice",
    async (point, to) => {
      const dying = service(point, point);
      const { first, second } = await ownerAt(await dying.listening);
      const ready = await callable(second);
      await expect(start(first, ready, to)).rejects.toThrow("fetch failed");
      expect((await dying.exited).signal).toBe("SIGKILL");
      const again = await start(second, ready, to);
      expect(again.status).toBe(200);
      const third = await start(second, ready, to);
      expect(third.body.callId).toBe(again.body.callId);
      const journal = await dialsTo(to);
      expect(journal.length).toBeLessThanOrEqual(1);
      expect(journal.every(({ callId }) => callId === again.body.callId)).toBe(true);
      const { body } = await second.send("GET", "/api/v1/calls");
      expect(body.data).toHaveLength(1);
    },
    PATIENCE,
  );

  it(
    "at two processes at the same time is one call",
    async () => {
      const to = "+12025550103";
      const { first, second } = await ownerAt(await service("other").listening);
      const ready = await callable(first);
      const answers = await Promise.all([first, second].map((user) => start(user, ready, to)));
      expect(answers[0]?.body.callId).toBe(answers[1]?.body.callId);
      expect(await dialsTo(to)).toHaveLength(1);
    },
    PATIENCE,
  );
});
