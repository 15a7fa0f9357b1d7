import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type SupervisedService, superviseService } from "../../simulation/drills/supervised-service.ts";
import { migratedDatabase } from "../support/database.ts";
import { tablesWith } from "../support/database-text.ts";
import { keptRecordings } from "../support/kept-recordings.ts";
import type { TestDatabase } from "../support/postgres.ts";

const MARK = "zxqvmarkedword";
const KEY = "erasure-drill-first-key";
const TALKS = "+15005550006";
/**
 * The same erasure is killed at each of these points, in their order: they are all states in which
 * it can be interrupted.
 */
const POINTS = [
  "erasures.begin.after",
  "eventStore.append.CallContentErased.after",
  "erasures.eraseKeys.before",
  "erasures.eraseKeys.after",
  "recordings.erase.after",
  "erasures.clear.after",
];

let database: TestDatabase;
let folder: string;
let service: SupervisedService | undefined;
beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-erasure-drill-"));
});
afterEach(async () => {
  await service?.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const call = z.object({ endedAt: z.string().nullable(), recordingStatus: z.string(), erased: z.boolean() });
const erasures = z.array(z.object({ status: z.string() }));
const started = z.object({ callId: z.string() });
const withId = z.object({ id: z.string() });

async function calls(client: DrillClient, count: number): Promise<readonly string[]> {
  const assistant = { name: "Ada", greetingMessage: "Hello", systemPrompt: "Be brief." };
  const ada = await client.post(withId, "/api/v1/assistants", assistant);
  await client.post(z.unknown(), `/api/v1/assistants/${ada.id}/publish`);
  const number = { phoneNumber: "+15005550100" };
  const line = await client.post(withId, "/api/v1/phone-numbers", number);
  const body = { assistantId: ada.id, phoneNumberId: line.id, to: TALKS, greetingMessage: `Hi ${MARK}` };
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { callId } = await client.post(started, "/api/v1/calls/outbound", body, `call-${made}`);
    ids.push(callId);
  }
  for (const callId of ids) {
    await eventually("its recording", async () => {
      const found = await client.get(call, `/api/v1/calls/${callId}`);
      return found.endedAt !== null && found.recordingStatus === "available";
    });
  }
  return ids;
}

/**
 * The next process continues it until it is killed at the next point; at the end it is done, and no
 * text is left anywhere.
 */
it("an erasure is finished whatever kills the service in its middle", { timeout: 120_000 }, async () => {
  const logFile = join(folder, "service.log");
  const env = {
    ...{ PORT: "0", DATA_DIR: folder, DATABASE_URL: database.connectionString, LOG_LEVEL: "debug" },
    ...{ SECRETS_KEY: Buffer.alloc(32, 3).toString("base64"), BOOTSTRAP_API_KEY: KEY, DASHBOARD: "off" },
    ...{ SIMULATOR_SPEED: "100", RATE_LIMIT_PER_SECOND: "0", PLAN_MAX_CALLS_PER_SECOND: "1000" },
  };
  service = superviseService({ env, crashAt: POINTS, logFile });
  const client = drillClient(service.url, KEY);
  const callIds = await calls(client, 2);
  const files = () => keptRecordings(join(folder, "recordings"));
  await eventually("every recording", async () => (await files()).length === callIds.length);
  expect(await tablesWith(database.pool, MARK)).not.toEqual([]);
  await client.post(z.unknown(), "/api/v1/erasures", { phoneNumber: TALKS }, "all-of-them");
  await eventually("the end of the erasure", async () => {
    const found = await client.get(erasures, "/api/v1/erasures?limit=100");
    return found.length === 1 && found[0]?.status === "done";
  });
  expect(service.deaths()).toBe(POINTS.length);
  for (const callId of callIds)
    expect(await client.get(call, `/api/v1/calls/${callId}`)).toMatchObject({
      erased: true,
      recordingStatus: "none",
    });
  expect(await tablesWith(database.pool, MARK)).toEqual([]);
  await eventually("no recording", async () => (await files()).length === 0);
  const listed = await readFile(join(folder, "erasures.jsonl"), "utf8");
  for (const callId of callIds) expect(listed).toContain(callId);
  expect(await readFile(logFile, "utf8")).not.toContain(MARK);
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::integer as count from log.events where type = 'CallContentErased'",
  );
  expect(rows).toEqual([{ count: callIds.length }]);
});
