import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { compose } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { migratedDatabase } from "../support/database.ts";

it("a plan that changed in the environment holds from the next start", async () => {
  const database = await migratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), "ringfold-plan-"));
  const key = randomBytes(24).toString("hex");
  const secretsKey = randomBytes(32).toString("base64");
  const planOfStart = async (environment: Record<string, string>) => {
    const service = await compose(
      readConfig({
        PORT: String(await freePort()),
        DATA_DIR: folder,
        DATABASE_URL: database.connectionString,
        SECRETS_KEY: secretsKey,
        BOOTSTRAP_API_KEY: key,
        LOG_LEVEL: "silent",
        ...environment,
      }),
    );
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${service.url}/api/v1/account`, { headers });
    const { data } = z.object({ data: z.object({ plan: z.unknown() }) }).parse(await answer.json());
    await service.stop();
    return data.plan;
  };
  const of = (maxConcurrentCalls: number, maxCallsPerSecond: number) => ({
    ...{ maxConcurrentCalls, maxCallsPerSecond },
    ...{ maxModelTokensPerDay: null, source: "default" },
  });
  expect(await planOfStart({})).toEqual(of(10, 10));
  const changed = { PLAN_MAX_CONCURRENT_CALLS: "30", PLAN_MAX_CALLS_PER_SECOND: "0.5" };
  expect(await planOfStart(changed)).toEqual(of(30, 0.5));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
