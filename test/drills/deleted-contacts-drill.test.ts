import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { anything, campaignAnswer, withId } from "../../simulation/drills/shapes.ts";
import { type SupervisedService, superviseService } from "../../simulation/drills/supervised-service.ts";
import { runProgram } from "../programs/run-program.ts";
import { migratedDatabase } from "../support/database.ts";
import { tablesWith } from "../support/database-text.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { copyTestDatabase, type TestDatabase } from "../support/postgres.ts";

const MARK = "zxqvmarkedword";
/** Digits of numbers that are called, refused as they are written, or repeated. */
const NUMBERS = ["5321237890", "5321237891", "0532-1237892"];
const WORDS = [MARK, ...NUMBERS];
const KEY = "deleted-contacts-first-key";
const PATIENCE = 30_000;
/** The erasure of the contacts is killed at each of these points, in their order. */
const POINTS = [
  "erasures.clearCampaigns.after",
  "journal.add.before",
  "erasures.eraseKeys.before",
  "erasures.eraseKeys.after",
];

let folder: string;
let database: TestDatabase;
let copy: TestDatabase | undefined;
let log: EventStoreDbServer | undefined;
let service: Program | SupervisedService | undefined;
let env: Record<string, string>;

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-deleted-contacts-"));
  env = {
    ...{ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "debug", DASHBOARD: "off", RATE_LIMIT_PER_SECOND: "0" },
    ...{ SECRETS_KEY: Buffer.alloc(32, 3).toString("base64"), BOOTSTRAP_API_KEY: KEY },
    DATABASE_URL: database.connectionString,
  };
}, PATIENCE);
afterEach(async () => {
  await stop();
  await log?.stop();
  log = undefined;
  await copy?.drop();
  copy = undefined;
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

async function start(stores: TestDatabase): Promise<string> {
  const program = startProgram(
    SERVICE,
    { ...env, DATABASE_URL: stores.connectionString },
    join(folder, "service.log"),
  );
  service = program;
  return program.listening;
}
async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}

const contact = (number: string) => ({
  phoneNumber: number,
  name: `${MARK} Yılmaz`,
  customData: { order: `${MARK}-4711` },
  externalId: `${MARK}-crm`,
});
const contacts = [contact("+905321237890"), contact("+905321237890"), contact(NUMBERS[2] ?? "")];
const more = { contacts: [contact("+905321237891"), contact(`${MARK}-number`)] };

async function campaign(client: DrillClient) {
  const assistant = { name: "Ada", greetingMessage: "Hello", systemPrompt: "Be brief." };
  const { id: assistantId } = await client.post(withId, "/api/v1/assistants", assistant);
  await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
  const number = { phoneNumber: "+15005550100" };
  const { id: phoneNumberId } = await client.post(withId, "/api/v1/phone-numbers", number);
  const body = { assistantId, phoneNumberId, name: "Never begun", contacts };
  const made = await client.post(campaignAnswer, "/api/v1/campaigns", body, "the-campaign");
  await client.post(anything, `/api/v1/campaigns/${made.campaign.id}/contacts`, more, "the-contacts");
  return { id: made.campaign.id, body };
}

/** Names of tables in which a contact is, and `the log of EventStoreDB`. */
async function told(stores: TestDatabase): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const word of WORDS) for (const table of await tablesWith(stores.pool, word)) found.add(table);
  const records = (log?.log.records ?? []).map(({ data }) => Buffer.from(data).toString()).join("\n");
  if (WORDS.some((word) => records.includes(word))) found.add("the log of EventStoreDB");
  return [...found].toSorted();
}
const inLog = (name: string) => /^(log|config)\.|EventStoreDB/.test(name);
const nowhere = (stores: TestDatabase) =>
  eventually("no contact", async () => (await told(stores)).length === 0, PATIENCE);

async function answerOf(url: string, method: string, path: string, body?: unknown, key?: string) {
  const headers = {
    ...{ authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) ?? null });
  return { status: answer.status, text: await answer.text() };
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

/** An older copy of the database: what was deleted since is gone before it answers. */
async function staysDeleted(stores: TestDatabase, id: string): Promise<void> {
  expect(await told(stores)).not.toEqual([]);
  const goOn = await holdReadModels(stores);
  const url = await start(stores);
  try {
    expect(await told(stores)).toEqual([]);
    const shown = await answerOf(url, "GET", `/api/v1/campaigns/${id}/contacts`);
    expect(WORDS.filter((word) => shown.text.includes(word))).toEqual([]);
    const again = await answerOf(url, "POST", `/api/v1/campaigns/${id}/contacts`, more, "the-contacts");
    expect([again.status, again.text.includes(MARK)]).toEqual([409, false]);
  } finally {
    await goOn();
  }
  const gone = async () => (await answerOf(url, "GET", `/api/v1/campaigns/${id}`)).status === 404;
  await eventually("the deletion", gone, PATIENCE);
  await nowhere(stores);
  await stop();
}

it.each([
  { store: "PostgreSQL", tells: "the file" },
  { store: "EventStoreDB", tells: "the log" },
])(
  "nothing of a contact outlives its campaign, not even in an older copy: the log in $store, $tells tells of it",
  async ({ store, tells }) => {
    if (store === "EventStoreDB") {
      log = await startEventStoreDbServer();
      env["EVENTSTORE_URL"] = log.url;
    }
    let url = await start(database);
    const { id, body } = await campaign(drillClient(async () => url, KEY));
    const listed = async () =>
      (await answerOf(url, "GET", `/api/v1/campaigns/${id}/contacts`)).text.includes(MARK);
    await eventually("its contacts", listed, PATIENCE);
    await stop();
    copy = await copyTestDatabase(database);
    const found = await told(copy);
    expect(found).toEqual(expect.arrayContaining(["work.idempotency_keys"]));
    expect(found.filter((name) => name.startsWith("read."))).not.toEqual([]);
    expect(found.filter(inLog)).toEqual([]);
    url = await start(database);
    expect((await answerOf(url, "DELETE", `/api/v1/campaigns/${id}`)).status).toBe(200);
    await nowhere(database);
    for (const [path, again, key] of [
      ["/api/v1/campaigns", body, "the-campaign"],
      [`/api/v1/campaigns/${id}/contacts`, more, "the-contacts"],
    ] as const)
      expect((await answerOf(url, "POST", path, again, key)).status).toBe(409);
    await stop();
    const verified = await runProgram("replay.ts", [id, "--verify"], env);
    expect([verified.code, verified.stdout.includes(MARK)]).toEqual([0, false]);
    expect((await runProgram("rebuild.ts", [], env)).code).toBe(0);
    expect(await told(database)).toEqual([]);
    expect(await readFile(join(folder, "erasures.jsonl"), "utf8")).toContain(id);
    if (tells === "the log") await rm(join(folder, "erasures.jsonl"));
    await staysDeleted(copy, id);
    const written = await readFile(join(folder, "service.log"), "utf8");
    expect(WORDS.filter((word) => written.includes(word))).toEqual([]);
  },
  8 * PATIENCE,
);

it(
  "the contacts of a deleted campaign are erased whatever kills the service meanwhile",
  async () => {
    const supervised = superviseService({ env, crashAt: POINTS, logFile: join(folder, "service.log") });
    service = supervised;
    const { id } = await campaign(drillClient(supervised.url, KEY));
    await answerOf(await supervised.url(), "DELETE", `/api/v1/campaigns/${id}`).catch(() => undefined);
    await eventually("each death", () => supervised.deaths() === POINTS.length, 4 * PATIENCE);
    await nowhere(database);
    expect(await readFile(join(folder, "erasures.jsonl"), "utf8")).toContain(id);
    const key = async () =>
      (await database.pool.query("select erased_at from config.subject_keys where subject = $1", [id])).rows;
    await eventually("the key's end", async () => (await key())[0]?.erased_at !== null, PATIENCE);
    const { rows } = await database.pool.query("select 1 from log.events where type = 'CampaignDeleted'");
    expect(rows).toHaveLength(1);
  },
  8 * PATIENCE,
);
