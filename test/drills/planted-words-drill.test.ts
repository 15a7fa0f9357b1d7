import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfig } from "../../infrastructure/config.ts";
import { parsed } from "../../programs/command-line.ts";
import { REPLAY, replay } from "../../programs/replay-command.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { everyAnswer, type Ids } from "../api/support/every-answer.ts";
import { plantedCall } from "../api/support/planted-call.ts";
import { PLACES } from "../api/support/planted-conversation.ts";
import { callable, campaignBody } from "../api/support/things.ts";
import { migratedDatabase } from "../support/database.ts";
import { tablesWith } from "../support/database-text.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { keptRecordings } from "../support/kept-recordings.ts";
import type { TestDatabase } from "../support/postgres.ts";

/** Occurs in greeting and instructions, and in every field of a planted conversation. */
const MARK = "zxqvmarkedword";
const KEY = "planted-words-first-key";
const SECRETS_KEY = Buffer.alloc(32, 5).toString("base64");
const TALKS = "+15005550006";
const PATIENCE = 30_000;
/** Shorter sentences of a callee may occur elsewhere. */
const LONG_ENOUGH = 15;

let folder: string;
let database: TestDatabase;
let log: EventStoreDbServer | undefined;
let receiver: Server;
/** Bodies of received webhooks; the receiver answers with them. */
let told: string[];
let service: Program | undefined;

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-planted-words-"));
  told = [];
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    told.push(Buffer.concat(parts).toString());
    response.end(Buffer.concat(parts));
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
}, PATIENCE);
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await log?.stop();
  log = undefined;
  receiver.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

type World = {
  readonly user: ApiUser;
  readonly env: Readonly<Record<string, string>>;
  /** A single call, one of a campaign, and a planted one: all to one number. */
  readonly callIds: readonly string[];
  readonly planted: string;
  readonly request: { readonly body: unknown; readonly headers: Readonly<Record<string, string>> };
  readonly rehearsal: Awaited<ReturnType<typeof rehearsed>>;
  readonly ids: Ids;
  /** The mark, and the callee's sentences. */
  readonly words: readonly string[];
};

async function spokenWorld(): Promise<World> {
  const env = {
    ...{ PORT: "0", DATA_DIR: folder, DATABASE_URL: database.connectionString, LOG_LEVEL: "debug" },
    ...{ SECRETS_KEY, BOOTSTRAP_API_KEY: KEY, DASHBOARD: "off", SIMULATOR_SPEED: "100" },
    ...{ RATE_LIMIT_PER_SECOND: "0", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" },
    ...(log === undefined ? {} : { EVENTSTORE_URL: log.url }),
  };
  service = startProgram(SERVICE, env, join(folder, "service.log"));
  const user = apiUser({ url: await service.listening, document: await loadDocument(), key: KEY });
  const ready = async () => (await user.send("GET", "/health/ready")).status === 200;
  await eventually("the service to be ready", ready, PATIENCE);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await user.send("PUT", "/api/v1/webhook", { body: { url, enabled: true } });
  const made = await callable(user);
  const spoken = { greetingMessage: `Hello ${MARK}`, specialInstructions: `Say ${MARK}` };
  const request = { body: { ...made, to: TALKS, ...spoken }, headers: { "idempotency-key": "the-call" } };
  const single = String((await user.send("POST", "/api/v1/calls/outbound", request)).body.callId);
  const campaign = (await user.send("POST", "/api/v1/campaigns", { body: campaignBody(made) })).body.data
    .campaign;
  await user.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
  const planted = await plantedCall(MARK, {
    ...{ config: readConfig(env), pool: database.pool, secretsKey: SECRETS_KEY },
  });
  const read = async (path: string) => (await user.send("GET", path)).body.data;
  const callIds = await eventually(
    "three calls that have ended and are told",
    async () => {
      const calls: readonly { id: string; recordingStatus: string }[] = await read("/api/v1/calls");
      const ended = await read("/api/v1/webhook/deliveries?event=call.ended&status=delivered");
      const recorded = calls.filter(({ recordingStatus }) => recordingStatus === "available");
      return recorded.length === 3 && ended.length === 3 ? calls.map(({ id }) => id) : null;
    },
    PATIENCE,
  );
  expect([single, planted].filter((id) => !callIds.includes(id))).toEqual([]);
  await eventually("two recordings", async () => (await recordings()).length === 2, PATIENCE);
  const contacts: readonly { id: string }[] = await read(`/api/v1/campaigns/${campaign.id}/contacts`);
  const deliveries: readonly { id: string }[] = await read("/api/v1/webhook/deliveries");
  await user.send("POST", "/api/v1/suppressions", { body: { phoneNumber: TALKS } });
  const list = { name: "Register", kind: "registry" };
  const { id: listId } = (await user.send("POST", "/api/v1/suppression-lists", { body: list })).body.data;
  const { id: verified } = (await user.send("POST", "/api/v1/policy/verifications", { body: {} })).body.data;
  const rehearsal = await rehearsed(user, rehearsalOf(made.assistantId, single, planted));
  const ids = {
    ...{ rehearsals: [rehearsal.id], runs: rehearsal.runIds },
    ...{ "suppression-lists": [listId], verifications: [verified] },
    ...{ calls: callIds, outbound: callIds, campaigns: [campaign.id] },
    ...{ numbers: [TALKS], suppressions: [TALKS] },
    ...{ contacts: contacts.map(({ id }) => id), deliveries: deliveries.map(({ id }) => id) },
    ...{ assistants: [made.assistantId], "phone-numbers": [made.phoneNumberId] },
  };
  const records = await Promise.all(callIds.map((id) => read(`/api/v1/calls/${id}`)));
  const heard = records
    .flatMap(({ messages }) => messages)
    .filter(({ role }: { role: string }) => role === "customer")
    .map(({ content }: { content: string }) => content)
    .filter((content) => content.length >= LONG_ENOUGH && !content.includes(MARK));
  expect(heard.length).toBeGreaterThan(0);
  return { user, env, callIds, planted, request, rehearsal, ids, words: [MARK, ...new Set<string>(heard)] };
}

/** A past call is played again, and a case is made from another one. */
const rehearsalOf = (assistantId: string, callId: string, fromCallId: string) => ({
  body: {
    ...{ name: "Before", assistantId },
    cases: [
      { name: "as it was", caller: { callId }, expect: [{ neverSays: ["free"] }] },
      {
        ...{ name: `Made of ${MARK}`, fromCallId, caller: { says: [`My word is ${MARK}`] } },
        ...{ greetingMessage: `Hello ${MARK}`, contact: { name: MARK, customData: { said: MARK } } },
        expect: [{ says: MARK }],
      },
    ],
  },
  headers: { "idempotency-key": "the-rehearsal" },
});

/** Ids of its record and its runs when it has ended. */
async function rehearsed(user: ApiUser, request: ReturnType<typeof rehearsalOf>) {
  const begun = await user.send("POST", "/api/v1/rehearsals", request);
  if (begun.status !== 202) throw new Error(begun.text);
  const { id } = begun.body.data;
  const isDone = async () => (await user.send("GET", `/api/v1/rehearsals/${id}`)).body.data.status === "done";
  await eventually("the rehearsal to end", isDone, PATIENCE);
  const runs: readonly { runId: string }[] = (await user.send("GET", `/api/v1/rehearsals/${id}/runs`)).body
    .data;
  return { id: String(id), runIds: runs.map(({ runId }) => runId), request };
}

const recordings = () => keptRecordings(join(folder, "recordings"));

/** Where a text was returned, and which requests were refused. */
async function asked({ user, ids, words }: World, at: string) {
  const answers = await everyAnswer(user, ids, at);
  return {
    refused: answers.filter(({ status }) => status >= 400).map(({ path, status }) => `${path}: ${status}`),
    telling: answers.filter(({ text }) => words.some((word) => text.includes(word))).map(({ path }) => path),
  };
}

/** The log of an EventStoreDB, as text. */
const stored = (): string =>
  (log?.log.records ?? [])
    .map(({ data, metadata }) => `${Buffer.from(data).toString()}${Buffer.from(metadata).toString()}`)
    .join("\n");

async function tables(words: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const word of words) found.push(...(await tablesWith(database.pool, word)));
  return [...new Set(found)];
}

/** Files of DATA_DIR that contain a text: log of the service, erasures, recordings. */
async function files(words: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name), "latin1");
    const isTelling = words.some((word) => content.includes(Buffer.from(word).toString("latin1")));
    if (isTelling) found.push(entry.name);
  }
  return found;
}

/** The output of `npm run replay` for the calls, in both forms. */
async function replayed({ callIds, env }: World): Promise<string> {
  const lines: string[] = [];
  for (const args of callIds.flatMap((callId) => [[callId], [callId, "--json"]]))
    await replay(parsed(REPLAY, args), readConfig(env), silentLogger, (line) => lines.push(line));
  return lines.join("\n");
}

it.each(["PostgreSQL", "EventStoreDB"])(
  "after an erasure no word is told or stored anywhere, with the log in %s",
  async (store) => {
    if (store === "EventStoreDB") log = await startEventStoreDbServer();
    const world = await spokenWorld();
    const { user, callIds, planted, request, rehearsal, words } = world;
    const holds = (text: string) => words.filter((word) => text.includes(word));

    // Before the erasure texts are returned, and stored unencrypted only for queries and webhooks.
    const before = await asked(world, new Date().toISOString());
    // The carrier never had the recording of the planted one.
    expect(before.refused.filter((each) => !each.startsWith(`/api/v1/calls/${planted}/recording`))).toEqual(
      [],
    );
    for (const callId of callIds) expect(before.telling).toContain(`/api/v1/calls/${callId}`);
    const [first, second] = rehearsal.runIds.map((id) => `/api/v1/rehearsals/${rehearsal.id}/runs/${id}`);
    expect(before.telling).toEqual(
      expect.arrayContaining([`/api/v1/rehearsals/${rehearsal.id}`, first, second]),
    );
    for (const path of ["/api/v1/events", "stream of events", `/api/v1/calls/${callIds[0]}/events`])
      expect(before.telling).toContain(path);
    const history = await replayed(world);
    for (const place of PLACES) expect(history).toContain(`${MARK}${place}`);
    for (const place of ["heard", "intended", "arguments", "shown", "variables", "note"])
      expect(told.join("")).toContain(`${MARK}${place}`);
    const holders = await tables(words);
    expect(holders.some((name) => name.startsWith("read."))).toBe(true);
    expect(holders.filter((name) => /^(log|config)\./.test(name))).toEqual([]);
    expect(holds(stored())).toEqual([]);
    expect(await files(words)).toEqual([]);

    const records = async () =>
      Promise.all(callIds.map(async (id) => (await user.send("GET", `/api/v1/calls/${id}`)).body.data));
    const talked = (await records()).map(({ conversation, durationSeconds, cost, endReason }) => {
      return { conversation, durationSeconds, cost, endReason };
    });
    const moment = new Date().toISOString();
    const erased = await user.send("POST", "/api/v1/erasures", { body: { phoneNumber: TALKS } });
    expect(erased.body.data).toMatchObject({ status: "done", calls: 3, recordings: 3 });

    // The history is the same as before, without texts.
    expect(await records()).toMatchObject(talked.map((kept) => ({ ...kept, erased: true, messages: [] })));
    const after = await asked(world, moment);
    expect(after.telling).toEqual([]);
    expect(new Set(after.refused)).toEqual(
      new Set(callIds.map((id) => `/api/v1/calls/${id}/recording: 404`)),
    );
    const again = await user.send("POST", "/api/v1/calls/outbound", request);
    expect([again.status, holds(again.text)]).toEqual([409, []]);
    const repeated = await user.send("POST", "/api/v1/rehearsals", rehearsal.request);
    expect(holds(repeated.text)).toEqual([]);
    const story = await replayed(world);
    expect([holds(story), story.includes("erased")]).toEqual([[], true]);
    const earlier = told.length;
    const range = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() };
    const sent = await user.send("POST", "/api/v1/webhook/replays", { body: range });
    expect(sent.status).toBeLessThan(300);
    await eventually("the three ends again", () => told.slice(earlier).filter(isEnd).length === 3, PATIENCE);
    expect(holds(told.slice(earlier).join(""))).toEqual([]);

    expect(await tables(words)).toEqual([]);
    expect(holds(stored())).toEqual([]);
    expect(await recordings()).toEqual([]);
    expect(await files(words)).toEqual([]);
  },
  8 * PATIENCE,
);

const isEnd = (body: string): boolean => JSON.parse(body).event === "call.ended";
