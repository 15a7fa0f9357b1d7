import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { drillClient } from "../../simulation/drills/drill-client.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { anything, outboundStart, withId } from "../../simulation/drills/shapes.ts";
import { migratedDatabase } from "../support/database.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { copyTestDatabase, type TestDatabase } from "../support/postgres.ts";

const KEY = "restored-lists-first-key";
const LISTS = "/api/v1/suppression-lists";
const PATIENCE = 60_000;
const ON_THE_OLD_LIST = "+15005550013";
const ON_THE_NEW_LIST = "+15005550014";
const ON_NONE = "+15005550002";

const ofType = z.object({ type: z.string() });
const list = z.object({ id: z.string(), active: z.boolean(), count: z.number(), behind: z.boolean() });
const readiness = z.object({
  data: z.object({ checks: z.array(z.object({ name: z.string(), detail: z.record(z.string(), anything) })) }),
});

let folder: string;
let database: TestDatabase;
let copy: TestDatabase | undefined;
let log: EventStoreDbServer;
let service: Program | undefined;

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-restored-lists-"));
  log = await startEventStoreDbServer();
}, PATIENCE);
afterEach(async () => {
  await stop();
  await log.stop();
  await copy?.drop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

async function start({ connectionString }: TestDatabase, more: Record<string, string> = {}): Promise<void> {
  const env = {
    ...{ PORT: "0", DATA_DIR: join(folder, "data"), DASHBOARD: "off", BOOTSTRAP_API_KEY: KEY },
    ...{ SECRETS_KEY: Buffer.alloc(32, 3).toString("base64"), RATE_LIMIT_PER_SECOND: "0" },
    ...{ SIMULATOR_SPEED: "100", EVENTSTORE_URL: log.url, DATABASE_URL: connectionString },
  };
  service = startProgram(SERVICE, { ...env, ...more }, join(folder, "service.log"));
  await service.listening;
}
async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}

const address = async () => (await service?.listening) ?? "";
const client = drillClient(address, KEY);

async function load(id: string, numbers: readonly string[]): Promise<void> {
  const answer = await fetch(`${await address()}${LISTS}/${id}/numbers`, {
    method: "PUT",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "text/csv" },
    body: `phone\n${numbers.join("\n")}\n`,
  });
  expect(answer.status, await answer.text()).toBe(200);
}

const newList = async () => (await client.post(withId, LISTS, { name: "Register", kind: "registry" })).id;
const listOf = (id: string) => client.get(list, `${LISTS}/${id}`);
const listEvents = async () =>
  (await client.all(ofType, "/api/v1/events", "after"))
    .map(({ type }) => type)
    .filter((type) => type.startsWith("SuppressionList"));

/** The guard has found events that are newer; the next start accepts that. */
async function acceptRestored(stores: TestDatabase): Promise<void> {
  const answer = await fetch(`${await address()}/health/ready`);
  const { data } = readiness.parse(await answer.json());
  const accept = data.checks.find(({ name }) => name === "restored")?.detail["accept"];
  expect([answer.status, accept]).toEqual([503, expect.stringMatching(/^ACCEPT_RESTORED=\S+$/)]);
  await stop();
  await start(stores, { ACCEPT_RESTORED: String(accept).replace("ACCEPT_RESTORED=", "") });
}

it(
  "a database that lacks the numbers of a list calls nobody until the list is loaded again",
  async () => {
    await start(database);
    const assistant = { name: "Ada", greetingMessage: "Hello", systemPrompt: "Be brief." };
    const { id: assistantId } = await client.post(withId, "/api/v1/assistants", assistant);
    await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
    const line = { phoneNumber: "+15005550100" };
    const { id: phoneNumberId } = await client.post(withId, "/api/v1/phone-numbers", line);
    const call = (to: string) =>
      client.post(outboundStart, "/api/v1/calls/outbound", { assistantId, phoneNumberId, to });
    const id = await newList();
    await load(id, [ON_THE_OLD_LIST]);
    await expect(call(ON_THE_OLD_LIST)).rejects.toThrow("RECIPIENT_SUPPRESSED");
    await eventually("their events", async () => (await listEvents()).length === 2, PATIENCE);
    await stop();
    copy = await copyTestDatabase(database);

    await start(database);
    await load(id, [ON_THE_OLD_LIST, ON_THE_NEW_LIST]);
    await expect(call(ON_THE_NEW_LIST)).rejects.toThrow("RECIPIENT_SUPPRESSED");
    const later = await newList();
    await eventually("their events", async () => (await listEvents()).length === 4, PATIENCE);
    await stop();

    // A separate log that is newer by less than a minute is what a crash leaves; this copy is an old one.
    await copy.pool.query("update work.alive set alive_at = alive_at - interval '1 hour'");
    await start(copy);
    await acceptRestored(copy);
    await expect(call(ON_NONE)).rejects.toThrow("POLICY_REFUSED");
    expect(await listOf(id)).toMatchObject({ behind: true, count: 1 });
    // One that only the log knew had no numbers: it is there again as it was.
    expect(await listOf(later)).toMatchObject({ behind: false, active: true, count: 0 });

    await load(id, [ON_THE_OLD_LIST, ON_THE_NEW_LIST]);
    expect(await listOf(id)).toMatchObject({ behind: false, count: 2 });
    await eventually("a call", async () => (await call(ON_NONE)).callId !== "", PATIENCE);
    await expect(call(ON_THE_NEW_LIST)).rejects.toThrow("RECIPIENT_SUPPRESSED");
    await eventually("its event", async () => (await listEvents()).length === 5, PATIENCE);
  },
  6 * PATIENCE,
);
