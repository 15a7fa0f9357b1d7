import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { type Document, loadDocument } from "../api/support/document.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";

const PATIENCE = 120_000;

describe.each(["policies.store.before", "policies.store.after"])("a policy, after a death at %s", (point) => {
  const key = randomBytes(24).toString("hex");
  const secretsKey = randomBytes(32).toString("base64");
  const programs: Program[] = [];
  let folder: string;
  let database: TestDatabase;
  let document: Document;
  let pool: pg.Pool;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ringfold-policy-"));
    database = await createTestDatabase();
    document = await loadDocument();
    pool = new pg.Pool({ connectionString: database.connectionString, max: 1 });
  }, PATIENCE);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }, PATIENCE);

  const start = async (crash: Readonly<Record<string, string>>): Promise<ApiUser> => {
    const env = {
      PORT: "0",
      DATABASE_URL: database.connectionString,
      SECRETS_KEY: secretsKey,
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: "warn",
      DATA_DIR: join(folder, "service"),
      ...crash,
    };
    const program = startProgram(SERVICE, env, join(folder, "log"));
    programs.push(program);
    return apiUser({ url: await program.listening, document, key });
  };
  const inForce = async () => (await pool.query("select version, policy from work.policies")).rows;
  const POLICY = {
    callableHours: { start: 9, end: 20 },
    attemptsPerNumber: { day: 2 },
    oneCallAtATime: true,
    exceptSingleCalls: false,
  };

  it(
    "is in force before the next start dials anybody, once",
    async () => {
      const dying = await start({ CRASH_AT: point });
      await expect(dying.send("PUT", "/api/v1/policy", { body: POLICY })).rejects.toThrow();
      await programs[0]?.exited;
      expect(await inForce()).toEqual(
        point === "policies.store.after" ? [{ version: 1, policy: POLICY }] : [],
      );
      const next = await start({});
      await eventually("the gate", async () => {
        const { body } = await next.send("GET", "/health/ready");
        const dialling = body.data.checks.find(({ name }: { name: string }) => name === "dialling");
        return dialling.ok === true;
      });
      expect(await inForce()).toEqual([{ version: 1, policy: POLICY }]);
      const again = await next.send("PUT", "/api/v1/policy", { body: POLICY });
      expect(again.body.data).toMatchObject({ version: 1, policy: POLICY });
      expect((await next.send("GET", "/api/v1/policy/versions")).body.data).toHaveLength(1);
    },
    PATIENCE,
  );
});
