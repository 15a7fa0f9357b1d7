import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import {
  anything,
  outboundStart,
  type Suppression,
  suppression,
  withId,
} from "../../simulation/drills/shapes.ts";
import { migratedDatabase } from "../support/database.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { copyTestDatabase, type TestDatabase } from "../support/postgres.ts";

const KEY = "restored-opt-outs-first-key";
const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const PATIENCE = 60_000;
/** Says that it never wants to be called again, on every call. */
const ASKS = "+15005550013";
const ENTRY = `/api/v1/suppressions/${encodeURIComponent(ASKS)}`;

const ofType = z.object({ type: z.string() });
const readiness = z.object({
  data: z.object({ checks: z.array(z.object({ name: z.string(), detail: z.record(z.string(), anything) })) }),
});

let folder: string;
let database: TestDatabase;
let copy: TestDatabase | undefined;
let log: EventStoreDbServer | undefined;
let carrier: Program;
let service: Program | undefined;
let env: Record<string, string>;

const at = (name: string) => join(folder, name);

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-restored-opt-outs-"));
  const simulated = { SIMULATOR_SPEED: "100", SIMULATOR_DATA_DIR: at("carrier"), SIMULATOR_PORT: "0" };
  carrier = startProgram(CARRIER, simulated, at("carrier.log"));
  env = {
    ...{ PORT: "0", DATA_DIR: at("data"), DASHBOARD: "off", BOOTSTRAP_API_KEY: KEY },
    ...{ SECRETS_KEY: Buffer.alloc(32, 3).toString("base64"), RATE_LIMIT_PER_SECOND: "0" },
    ...{ SIMULATOR_URL: await carrier.listening },
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

async function start({ connectionString }: TestDatabase, more: Record<string, string> = {}): Promise<void> {
  service = startProgram(SERVICE, { ...env, DATABASE_URL: connectionString, ...more }, at("service.log"));
  await service.listening;
}
async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}

const address = async () => (await service?.listening) ?? "";
const client = drillClient(address, KEY);

async function things({ post }: DrillClient) {
  const assistant = { name: "Ada", greetingMessage: "Hello", systemPrompt: "Be brief." };
  const { id: assistantId } = await post(withId, "/api/v1/assistants", assistant);
  await post(anything, `/api/v1/assistants/${assistantId}/publish`);
  const { id: phoneNumberId } = await post(withId, "/api/v1/phone-numbers", { phoneNumber: "+15005550100" });
  return { assistantId, phoneNumberId };
}
type Things = Awaited<ReturnType<typeof things>>;

const call = (made: Things, key: string) =>
  client.post(outboundStart, "/api/v1/calls/outbound", { ...made, to: ASKS }, key);

/** Its call is over, its opt-out is listed and in the log. */
async function callThatAsks(made: Things): Promise<Suppression> {
  const { callId } = await call(made, "first");
  await eventually(
    "the opt-out",
    async () => {
      const events = await client.all(ofType, `/api/v1/calls/${callId}/events`, "after");
      const types = events.map(({ type }) => type);
      return types.includes("CallOptedOut") && types.includes("CallCompleted");
    },
    PATIENCE,
  );
  const entry = await client.get(suppression, ENTRY);
  expect(entry).toMatchObject({ source: "call", callId });
  return entry;
}

/** From the first answer on that is not 503: nobody dials the number, and its entry is the same. */
async function staysListed(made: Things, entry: Suppression): Promise<void> {
  await expect(call(made, "again")).rejects.toThrow("RECIPIENT_SUPPRESSED");
  expect(await client.get(suppression, ENTRY)).toEqual(entry);
  const journal = await (await fetch(`${await carrier.listening}/journal`)).text();
  expect(journal.split("\n").filter((line) => line.includes(ASKS))).toHaveLength(1);
}

/** The guard has found calls that are newer; the next start accepts that. */
async function acceptRestored(stores: TestDatabase): Promise<void> {
  const answer = await fetch(`${await address()}/health/ready`);
  const { data } = readiness.parse(await answer.json());
  const accept = data.checks.find(({ name }) => name === "restored")?.detail["accept"];
  expect([answer.status, accept]).toEqual([503, expect.stringMatching(/^ACCEPT_RESTORED=\S+$/)]);
  await stop();
  await start(stores, { ACCEPT_RESTORED: String(accept).replace("ACCEPT_RESTORED=", "") });
}

it(
  "a number that the list lost is on it again before anybody is dialled",
  async () => {
    await start(database);
    const made = await things(client);
    const entry = await callThatAsks(made);
    await stop();
    await database.pool.query("delete from config.suppressions");
    await start(database);
    await staysListed(made, entry);
    expect(await readFile(at("service.log"), "utf8")).toContain("the do-not-call list had lost");
  },
  4 * PATIENCE,
);

it(
  "a database of before the opt-out learns of it from the log before anybody is dialled",
  async () => {
    log = await startEventStoreDbServer();
    env["EVENTSTORE_URL"] = log.url;
    await start(database);
    const made = await things(client);
    await stop();
    copy = await copyTestDatabase(database);
    await start(database);
    const entry = await callThatAsks(made);
    await stop();
    // A separate log that is newer by less than a minute is what a crash leaves; this copy is an old one.
    await copy.pool.query("update work.alive set alive_at = alive_at - interval '1 hour'");
    expect((await copy.pool.query("select from config.suppressions")).rows).toEqual([]);
    await start(copy);
    await acceptRestored(copy);
    await staysListed(made, entry);
  },
  4 * PATIENCE,
);
