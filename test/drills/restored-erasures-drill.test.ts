import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { anything, campaignAnswer, outboundStart, withId } from "../../simulation/drills/shapes.ts";
import { runProgram } from "../programs/run-program.ts";
import { migratedDatabase } from "../support/database.ts";
import { tablesWith } from "../support/database-text.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { keptRecordings } from "../support/kept-recordings.ts";
import { copyTestDatabase, type TestDatabase } from "../support/postgres.ts";

const MARK = "zxqvmarkedword";
const KEY = "restored-erasures-first-key";
const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const PATIENCE = 30_000;
/** They answer and talk, by the seed of the simulated carrier. */
const TALKS = "+15005550006";
const BY_NUMBER = "+12025550101";
const BY_RETENTION = "+12025550102";
const OF_A_CAMPAIGN = "+12025550103";
const SINCE = "+12025550104";

const record = z.object({
  endedAt: z.string().nullable(),
  recordingStatus: z.string(),
  erased: z.boolean(),
});
const erasures = z.array(z.object({ status: z.string(), kind: z.string(), calls: z.number() }));
const owner = z.object({ apiKey: z.object({ key: z.string() }) });
const readiness = z.object({
  data: z.object({ checks: z.array(z.object({ name: z.string(), detail: z.record(z.string(), anything) })) }),
});

let folder: string;
let database: TestDatabase;
let copy: TestDatabase | undefined;
let log: EventStoreDbServer | undefined;
let carrier: Program;
let service: Program | undefined;
/** Environment of the restored service; `start` has its database and its recordings. */
let env: Record<string, string>;

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-restored-erasures-"));
  const simulated = { SIMULATOR_SPEED: "100", SIMULATOR_DATA_DIR: at("carrier"), SIMULATOR_PORT: "0" };
  carrier = startProgram(CARRIER, simulated, at("carrier.log"));
  env = {
    ...{ PORT: "0", DATA_DIR: at("data"), ERASURES_FILE: at("apart/erasures.jsonl"), LOG_LEVEL: "debug" },
    ...{ SECRETS_KEY: Buffer.alloc(32, 3).toString("base64"), BOOTSTRAP_API_KEY: KEY, DASHBOARD: "off" },
    ...{ SIMULATOR_URL: await carrier.listening, RATE_LIMIT_PER_SECOND: "0", RETENTION_DAY_MS: "1000" },
  };
}, PATIENCE);
afterEach(async () => {
  await Promise.all([service?.stop(), carrier.stop()]);
  service = undefined;
  await log?.stop();
  log = undefined;
  await copy?.drop();
  copy = undefined;
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

const at = (name: string) => join(folder, name);
const where = (stores: TestDatabase, recordings: string) => ({
  ...env,
  DATABASE_URL: stores.connectionString,
  RECORDINGS_DIR: at(recordings),
});

async function start(stores: TestDatabase, recordings: string, more: Record<string, string> = {}) {
  service = startProgram(SERVICE, { ...where(stores, recordings), ...more }, at("service.log"));
  await service.listening;
}
async function stop() {
  await service?.stop();
  service = undefined;
}
const address = async () => (await service?.listening) ?? "";
const clientOf = (key: string) => drillClient(address, key);

async function things(client: DrillClient) {
  const assistant = { name: "Ada", greetingMessage: "Hello", systemPrompt: "Be brief." };
  const { id: assistantId } = await client.post(withId, "/api/v1/assistants", assistant);
  await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
  const number = { phoneNumber: "+15005550100" };
  const { id: phoneNumberId } = await client.post(withId, "/api/v1/phone-numbers", number);
  return { assistantId, phoneNumberId };
}
type Things = Awaited<ReturnType<typeof things>>;

const call = async (client: DrillClient, made: Things, to: string) => {
  const body = { ...made, to, greetingMessage: `Hi ${MARK}`, specialInstructions: `Say ${MARK}` };
  return (await client.post(outboundStart, "/api/v1/calls/outbound", body, `call-${to}`)).callId;
};
const ended = (client: DrillClient, callId: string) =>
  eventually(
    `the end of ${callId}`,
    async () => {
      const found = await client.get(record, `/api/v1/calls/${callId}`);
      return found.endedAt !== null && found.recordingStatus !== "pending";
    },
    PATIENCE,
  );
const recorded = (name: string) => keptRecordings(at(name));

/** Paths whose answers contain a marked text. */
async function wordy(key: string, callIds: readonly string[]): Promise<readonly string[]> {
  const paths = callIds.flatMap((id) => [
    ...[`/api/v1/calls/${id}`, `/api/v1/calls/outbound/${id}`, `/api/v1/calls/${id}/events?limit=200`],
    ...[`/api/v1/calls/${id}/recording`, `/api/v1/webhook/deliveries?callId=${id}`],
  ]);
  paths.push("/api/v1/calls", "/api/v1/events?limit=200", `/api/v1/numbers/${encodeURIComponent(TALKS)}`);
  const texts = await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${await address()}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return `${path}: ${answer.status} ${await answer.text()}`;
    }),
  );
  return texts.filter((text) => text.includes(MARK)).map((text) => text.slice(0, text.indexOf(":")));
}

/** From now on no read model of this database processes events, until the returned function is called. */
async function holdReadModels({ pool }: TestDatabase): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await pool.connect();
  await client.query("begin");
  await client.query("select from read.checkpoints for update");
  return async () => {
    await client.query("rollback");
    client.release(true);
  };
}

/** Calls with marked words, a copy of database and recordings, then erasures of each kind. */
async function eraseAfterCopy() {
  await start(database, "recordings");
  const client = clientOf(KEY);
  const made = await things(client);
  const { apiKey } = await client.post(owner, "/api/v1/users", { name: "Keeps its words" });
  const other = clientOf(apiKey.key);
  const kept = await call(other, await things(other), TALKS);
  const calls = [];
  for (const to of [TALKS, BY_NUMBER, BY_RETENTION]) calls.push(await call(client, made, to));
  const { campaign } = await client.post(campaignAnswer, "/api/v1/campaigns", {
    ...{ ...made, name: "Restored", greetingMessage: "Hello {{name}}" },
    contacts: [{ phoneNumber: OF_A_CAMPAIGN, name: "Ayse" }],
  });
  await client.post(anything, `/api/v1/campaigns/${campaign.id}/start`);
  await eventually(
    "the campaign",
    async () => {
      const now = await client.get(campaignAnswer, `/api/v1/campaigns/${campaign.id}`);
      return now.campaign.status === "COMPLETED";
    },
    PATIENCE,
  );
  const page = await client.get(z.array(withId), `/api/v1/calls?campaignId=${campaign.id}`);
  const callIds = [...calls, ...page.map(({ id }) => id)];
  await Promise.all([ended(other, kept), ...callIds.map((id) => ended(client, id))]);
  await eventually("their recordings", async () => (await recorded("recordings")).length >= 2, PATIENCE);
  const [first = ""] = calls;
  await stop();

  copy = await copyTestDatabase(database);
  await cp(at("recordings"), at("old-recordings"), { recursive: true });
  await start(database, "recordings");
  const since = await call(client, made, SINCE);
  await ended(client, since);
  await client.remove(anything, `/api/v1/calls/${first}/content`);
  await client.post(anything, "/api/v1/erasures", { phoneNumber: BY_NUMBER }, "by-number");
  await client.patch(anything, "/api/v1/account", { retention: { contentDays: 1 } });
  await eventually(
    "retention",
    async () => {
      const done = await client.get(erasures, "/api/v1/erasures?limit=100");
      const gone = done.filter(({ status }) => status === "done").reduce((sum, { calls: n }) => sum + n, 0);
      return gone === callIds.length + 1 && done.some(({ kind }) => kind === "retention");
    },
    PATIENCE,
  );
  const verified = await runProgram("replay.ts", [campaign.id, "--verify"], where(database, "recordings"));
  await stop();
  return { callIds, since, kept, otherKey: apiKey.key, campaignId: campaign.id, verified, stores: copy };
}

/**
 * The restored service returns no text of the erased calls, from its first answer on; afterwards
 * nothing of it contains one.
 */
async function staysErased(before: Awaited<ReturnType<typeof eraseAfterCopy>>) {
  const { callIds, since, kept, otherKey, campaignId, verified, stores } = before;
  expect((await tablesWith(stores.pool, MARK)).length).toBeGreaterThan(0);
  // A separate log that is newer by less than a minute is what a crash leaves; this copy is an old one.
  await stores.pool.query("update work.alive set alive_at = alive_at - interval '1 hour'");
  const goOn = await holdReadModels(stores);
  try {
    await start(stores, "old-recordings");
    expect(await wordy(KEY, [...callIds, since])).toEqual([]);
    for (const id of callIds)
      expect(await clientOf(KEY).get(record, `/api/v1/calls/${id}`)).toMatchObject({
        erased: true,
        recordingStatus: "none",
      });
  } finally {
    await goOn();
  }
  await acceptRestored(stores);
  const client = clientOf(KEY);
  await eventually("ready", async () => (await fetch(`${await address()}/health/ready`)).ok, PATIENCE);
  expect(await wordy(KEY, [...callIds, since])).toEqual([]);
  for (const id of callIds) {
    expect((await client.get(record, `/api/v1/calls/${id}`)).erased).toBe(true);
    await eventually("no recording", async () => !(await recorded("old-recordings")).includes(id), PATIENCE);
  }
  // Texts that nobody erased are restored completely.
  const other = clientOf(otherKey);
  expect(JSON.stringify(await other.get(anything, `/api/v1/calls/${kept}`))).toContain(MARK);
  await other.remove(anything, `/api/v1/calls/${kept}/content`);
  expect(await tablesWith(stores.pool, MARK)).toEqual([]);
  const [first = ""] = callIds;
  const told = await runProgram("replay.ts", [first], where(stores, "old-recordings"));
  expect([told.code, told.stdout]).toEqual([0, expect.stringContaining("its words were erased")]);
  expect(told.stdout).not.toContain(MARK);
  const again = await runProgram("replay.ts", [campaignId, "--verify"], where(stores, "old-recordings"));
  expect(again).toEqual(verified);
  expect(again.code).toBe(0);
  expect(await readFile(at("service.log"), "utf8")).not.toContain(MARK);
}

/** The guard has found calls or events that are newer; the next start accepts that. */
async function acceptRestored(stores: TestDatabase) {
  const answer = await fetch(`${await address()}/health/ready`);
  const { data } = readiness.parse(await answer.json());
  const accept = data.checks.find(({ name }) => name === "restored")?.detail["accept"];
  expect([answer.status, accept]).toEqual([503, expect.stringMatching(/^ACCEPT_RESTORED=\S+$/)]);
  await stop();
  await start(stores, "old-recordings", { ACCEPT_RESTORED: String(accept).replace("ACCEPT_RESTORED=", "") });
}

it.each([
  { store: "PostgreSQL", tells: "the file" },
  { store: "EventStoreDB", tells: "the log" },
])(
  "an older copy of the database is erased again before it answers: the log in $store, $tells tells of it",
  async ({ store, tells }) => {
    if (store === "EventStoreDB") {
      log = await startEventStoreDbServer();
      env["EVENTSTORE_URL"] = log.url;
    }
    const before = await eraseAfterCopy();
    if (tells === "the log") await rm(env["ERASURES_FILE"] ?? "");
    await staysErased(before);
  },
  8 * PATIENCE,
);
