import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { type Config, readConfig } from "../../infrastructure/config.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import { tablesWith } from "../support/database-text.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { openTestPool, type TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { plantedCall } from "./support/planted-call.ts";
import { callable, endedCall } from "./support/things.ts";

/** Stands in greeting and instructions, and comes back in the receiver's answers. */
const MARK = "zxqvmarkedword";
const CONSENTED = "2026-08-20T09:15:00.000Z";
/** Rings until it is ended. */
const RINGS = "+15005550010";
const TALKS = "+15005550006";
/** What a transcript shows of the callee who is asked to press 7. */
const PRESSED = "[keys: 7]";

const key = randomBytes(24).toString("hex");
const secretsKey = randomBytes(32).toString("base64");

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;
let service: Service | undefined;
let log: EventStoreDbServer | undefined;
let receiver: Server;
/** Bodies of webhooks, as they came. */
let told: string[];

let env: Record<string, string>;

beforeEach(async () => {
  database = await migratedDatabase();
  pool = openTestPool(database.connectionString, 2);
  folder = await mkdtemp(join(tmpdir(), "ringfold-erasures-"));
  told = [];

  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    told.push(Buffer.concat(parts).toString());
    response.end(`{"heard":"${MARK}"}`);
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  env = {};
});
afterEach(async () => {
  await stop();
  await log?.stop();
  log = undefined;
  receiver.close();
  await pool.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function config(): Config {
  return readConfig({
    PORT: "0",
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    SECRETS_KEY: secretsKey,
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: "error",
    SIMULATOR_SPEED: "50",
    RATE_LIMIT_PER_SECOND: "0",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    ...env,
  });
}

async function start(): Promise<ApiUser> {
  service = await compose(config());
  const user = apiUser({ url: service.url, document: await loadDocument(), key });
  await eventually("ready", async () => (await user.send("GET", "/health/ready")).status === 200);
  return user;
}

async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}

/** A call whose words are marked, ended, told, and with its recording. */
async function toldCall(user: ApiUser, greetingMessage = `Hello ${MARK}`): Promise<string> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await user.send("PUT", "/api/v1/webhook", { body: { url, enabled: true } });
  const started = await user.send("POST", "/api/v1/calls/outbound", {
    body: {
      ...(await callable(user)),
      to: TALKS,
      greetingMessage,
      specialInstructions: `Say ${MARK}`,
      consent: { source: MARK, at: CONSENTED, reference: MARK },
    },
    headers: { "idempotency-key": "the-call" },
  });
  const { callId } = started.body;
  await endedCall(user, callId);
  await eventually("its webhooks and its recording", async () => {
    const query = `event=call.ended&status=delivered&callId=${callId}`;
    const { body } = await user.send("GET", `/api/v1/webhook/deliveries?${query}`);
    const call = await user.send("GET", `/api/v1/calls/${callId}`);
    return body.data.length > 0 && call.body.data.recordingStatus === "available";
  });
  return String(callId);
}

async function answers(user: ApiUser, callId: string): Promise<string> {
  const paths = [
    `/api/v1/calls/${callId}`,
    `/api/v1/calls/outbound/${callId}`,
    "/api/v1/calls",
    `/api/v1/calls/${callId}/events`,
    "/api/v1/events?limit=200",
    "/api/v1/webhook/deliveries",
  ];
  const texts = await Promise.all(paths.map(async (path) => (await user.send("GET", path)).text));
  const { body } = await user.send("GET", `/api/v1/webhook/deliveries?callId=${callId}`);
  for (const { id } of body.data)
    texts.push((await user.send("GET", `/api/v1/webhook/deliveries/${id}`)).text);
  return texts.join("\n");
}

describe.each(["PostgreSQL", "EventStoreDB"])("with the log in %s, the words of a call", (kind) => {
  beforeEach(async () => {
    if (kind === "PostgreSQL") return;
    log = await startEventStoreDbServer();
    env["EVENTSTORE_URL"] = log.url;
  });

  it("are nowhere any more, and what happened is still told", async () => {
    const user = await start();
    const callId = await toldCall(user);
    const before = await user.send("GET", `/api/v1/calls/${callId}`);
    expect(before.text).toContain(MARK);
    expect(before.body.data.erased).toBe(false);
    // Sealed from the first: only what serves reading and telling holds them.
    const holders = await tablesWith(pool, MARK);
    expect(holders.some((name) => name.startsWith("read."))).toBe(true);
    expect(holders.filter((name) => name.startsWith("log.") || name.startsWith("config."))).toEqual([]);

    // What a receiver did may repeat the words as well.
    await pool.query("update work.webhook_attempts set detail = $1", [`it leads to ${MARK}.example`]);
    const erased = await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    expect(erased.body.data).toMatchObject({ kind: "call", callId, phoneNumber: null, status: "done" });
    expect(erased.body.data).toMatchObject({ calls: 1, recordings: 1, deliveries: 2 });

    const { body } = await user.send("GET", `/api/v1/calls/${callId}`);
    const { erased: _e, greetingMessage: _g, specialInstructions: _s, ...same } = before.body.data;
    expect(same.consent).toEqual({ source: MARK, at: CONSENTED, expiresAt: null, reference: MARK });
    const {
      consent: _c,
      messages: _m,
      outcome: _o,
      recordingUrl: _u,
      recordingStatus: _r,
      updatedAt: _at,
      ...kept
    } = same;
    expect(body.data).toMatchObject(kept);
    expect(body.data).toMatchObject({
      erased: true,
      greetingMessage: null,
      specialInstructions: null,
      messages: [],
      outcome: { status: "erased", fields: {}, summary: null },
      consent: { source: null, at: CONSENTED, expiresAt: null, reference: null },
      recordingStatus: "none",
      recordingUrl: null,
    });
    expect((await user.send("GET", `/api/v1/calls/${callId}/recording`)).status).toBe(404);
    expect(await answers(user, callId)).not.toContain(MARK);
    expect(await tablesWith(pool, MARK)).toEqual([]);
    expect(await readFile(join(folder, "erasures.jsonl"), "utf8")).toContain(callId);
    const history = await user.send("GET", `/api/v1/calls/${callId}/events?limit=200`);
    expect(history.body.data.map(({ type }: { type: string }) => type)).toContain("CallMessageAdded");
    expect(history.body.data.at(-1)).toMatchObject({
      type: "CallContentErased",
      data: { callId, erasureId: erased.body.data.id },
    });
  });

  it("are also the keys that were pressed: each place that had one has none", async () => {
    const user = await start();
    // The callee obeys.
    const callId = await toldCall(user, "Please press 7 to go on.");
    const { body } = await user.send("GET", `/api/v1/calls/${callId}`);
    const pressed = { role: "customer", content: PRESSED };
    expect(body.data.messages).toContainEqual(expect.objectContaining(pressed));
    expect(told.find((text) => JSON.parse(text).event === "call.ended")).toContain(PRESSED);
    const keysOf = async () => {
      const { data } = (await user.send("GET", `/api/v1/calls/${callId}/events?limit=200`)).body;
      const [event] = data.filter(({ type }: { type: string }) => type === "CallDigitsReceived");
      return event.data;
    };
    const kept = await keysOf();
    expect(kept).toMatchObject({ digits: "7", count: 1 });
    // What was said is never searched.
    expect((await user.send("GET", "/api/v1/calls?q=keys")).body.data).toEqual([]);
    const holders = await tablesWith(pool, PRESSED);
    expect(holders.filter((name) => name.startsWith("read."))).not.toEqual([]);
    expect(holders.filter((name) => name.startsWith("log.") || name.startsWith("config."))).toEqual([]);

    const erased = await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    expect(erased.body.data).toMatchObject({ status: "done", calls: 1 });
    expect(await answers(user, callId)).not.toContain(PRESSED);
    expect(await keysOf()).toEqual({ ...kept, digits: null });
    expect(await tablesWith(pool, PRESSED)).toEqual([]);
  });

  it("are not told again: the delivery is refused, a range goes out emptied", async () => {
    const user = await start();
    const callId = await toldCall(user);
    await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    const query = `event=call.ended&callId=${callId}`;
    const [delivery] = (await user.send("GET", `/api/v1/webhook/deliveries?${query}`)).body.data;
    const refused = await user.send("POST", `/api/v1/webhook/deliveries/${delivery.id}/replay`);
    expect([refused.status, refused.body.error.code]).toEqual([409, "CALL_ERASED"]);
    const before = told.length;
    const now = Date.now();
    const range = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 1_000).toISOString() };
    await user.send("POST", "/api/v1/webhook/replays", { body: range });
    await eventually("both events again", () => told.length >= before + 2);
    const again = told.slice(before);
    expect(again.join("")).not.toContain(MARK);
    const ended = again.map((body) => JSON.parse(body)).find(({ event }) => event === "call.ended");
    expect(ended.data).toMatchObject({ eventId: delivery.eventId, erased: true, messages: [] });
    // The request of the call cannot be repeated either: nobody is called twice for it.
    const repeated = await user.send("POST", "/api/v1/calls/outbound", {
      body: { assistantId: "ast_1", phoneNumberId: "pn_1", to: TALKS },
      headers: { "idempotency-key": "the-call" },
    });
    expect(repeated.status).toBe(409);
  });

  it("stay erased when older keys are restored, by the log and by the file", async () => {
    let user = await start();
    const callId = await toldCall(user);
    const { rows: older } = await pool.query("select * from config.subject_keys where subject = $1", [
      callId,
    ]);
    const { rows: read } = await pool.query(
      "select position from work.checkpoints where processor = 'erasures'",
    );
    await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    const file = join(folder, "erasures.jsonl");
    const restore = async () => {
      await stop();
      await pool.query(
        "update config.subject_keys set sealed_key = $2, erased_at = null where subject = $1",
        [callId, older[0]?.sealed_key],
      );
      await pool.query("delete from work.erasures");
    };
    await restore();
    // An older database has read the log no further than it did then.
    await pool.query("update work.checkpoints set position = $1 where processor = 'erasures'", [
      read[0]?.position,
    ]);
    await rm(file);
    user = await start();
    expect((await user.send("GET", `/api/v1/calls/${callId}/events?limit=200`)).text).not.toContain(MARK);
    expect(await readFile(file, "utf8")).toContain(callId);
    // The log was read to its end already: only the file tells of it now.
    await restore();
    user = await start();
    expect((await user.send("GET", `/api/v1/calls/${callId}/events?limit=200`)).text).not.toContain(MARK);
  });
});

describe("a lost key", () => {
  const notReady = (user: ApiUser, callId: string) =>
    eventually("it says which", async () => {
      const { status, text } = await user.send("GET", "/health/ready");
      return status === 503 && text.includes(`"missing":"${callId}"`);
    });
  const dialledNow = async (user: ApiUser) => {
    const body = { ...(await callable(user)), to: TALKS };
    return (await user.send("POST", "/api/v1/calls/outbound", { body })).body.error?.code;
  };

  it("at the start keeps everybody from being dialled, until its call is erased", async () => {
    const callId = await toldCall(await start());
    await stop();
    await pool.query("delete from config.subject_keys where subject = $1", [callId]);
    service = await compose(config());
    const user = apiUser({ url: service.url, document: await loadDocument(), key });
    await notReady(user, callId);
    expect(await dialledNow(user)).toBe("CARRIER_UNAVAILABLE");
    const erased = await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    expect(erased.body.data).toMatchObject({ status: "done", calls: 1 });
    await eventually("ready again", async () => (await user.send("GET", "/health/ready")).status === 200);
    expect(await dialledNow(user)).toBe(undefined);
  });

  it("in the middle parks the event and stops all dialling", async () => {
    const user = await start();
    const told = await toldCall(user);
    const lost = await plantedCall(MARK, {
      ...{ config: config(), pool, secretsKey },
      altered: async (events, callId) => {
        await pool.query("delete from config.subject_keys where subject = $1", [callId]);
        return events;
      },
    });
    await notReady(user, lost);
    expect(await dialledNow(user)).toBe("CARRIER_UNAVAILABLE");
    const { rows } = await pool.query("select distinct problem from work.parked_events");
    expect(rows).toContainEqual({ problem: `no key of ${lost}` });
    // What is not damaged is still told.
    expect((await user.send("GET", `/api/v1/calls/${told}`)).text).toContain(MARK);
  });
});

it("words that were swapped between two events of a call are damage that is named, and are told by nobody", async () => {
  const user = await start();
  await toldCall(user);
  const callId = await plantedCall(MARK, {
    ...{ config: config(), pool, secretsKey },
    altered: async (events) => {
      const [one, other] = events.filter(({ type }) => type === "CallMessageAdded");
      const sealedOf = new Map([
        [one, other?.data["sealed"]],
        [other, one?.data["sealed"]],
      ]);
      return events.map((event) => {
        const sealed = sealedOf.get(event);
        return sealed === undefined ? event : { ...event, data: { ...event.data, sealed } };
      });
    },
  });
  const damage = `the sealed words of ${callId} do not open`;
  await eventually("it is named", async () => {
    const { rows } = await pool.query("select distinct problem from work.parked_events");
    return rows.some(({ problem }) => problem.includes(damage));
  });
  const history = await user.send("GET", `/api/v1/calls/${callId}/events?limit=200`);
  const [one, other] = history.body.data.filter(({ type }: { type: string }) => type === "CallMessageAdded");
  expect([one.data.message.content, other.data.message.content]).toEqual([null, null]);
  // The rest of it is told.
  expect(history.text).toContain(`${MARK}digits`);
});

describe("an erasure", () => {
  it("takes every call to a number, once for an Idempotency-Key, and is listed", async () => {
    const user = await start();
    const callId = await toldCall(user);
    const options = { body: { phoneNumber: TALKS }, headers: { "idempotency-key": "all-of-them" } };
    const first = await user.send("POST", "/api/v1/erasures", options);
    expect([first.status, first.body.data]).toEqual([
      201,
      expect.objectContaining({
        kind: "phone_number",
        phoneNumber: TALKS,
        callId: null,
        calls: 1,
        status: "done",
      }),
    ]);
    const again = await user.send("POST", "/api/v1/erasures", options);
    expect(again.body.data.id).toBe(first.body.data.id);
    const listed = await user.send("GET", "/api/v1/erasures");
    expect(listed.body.data).toEqual([first.body.data]);
    expect((await user.send("GET", `/api/v1/calls/${callId}`)).body.data.erased).toBe(true);
  });

  it("finds nothing where there is nothing, and nothing of anybody else", async () => {
    const user = await start();
    const callId = await toldCall(user);
    const none = await user.send("POST", "/api/v1/erasures", { body: { phoneNumber: "+15005550009" } });
    expect(none.body.data).toMatchObject({ calls: 0, recordings: 0, deliveries: 0, status: "done" });
    const owner = await user.send("POST", "/api/v1/users", { body: { name: "Another" } });
    const document = await loadDocument();
    const other = apiUser({ url: service?.url ?? "", document, key: owner.body.data.apiKey.key });
    expect((await other.send("DELETE", `/api/v1/calls/${callId}/content`)).status).toBe(404);
    const theirs = await other.send("POST", "/api/v1/erasures", { body: { callId } });
    expect(theirs.body.data).toMatchObject({ calls: 0 });
    expect((await user.send("GET", `/api/v1/calls/${callId}`)).text).toContain(MARK);
    expect((await other.send("GET", "/api/v1/erasures")).body.data).toHaveLength(1);
  });

  it("is refused while a call has not ended, and says which", async () => {
    env["SIMULATOR_SPEED"] = "0.01";
    const user = await start();
    const started = await user.send("POST", "/api/v1/calls/outbound", {
      body: { ...(await callable(user)), to: RINGS },
    });
    const { callId } = started.body;
    for (const answer of [
      await user.send("DELETE", `/api/v1/calls/${callId}/content`),
      await user.send("POST", "/api/v1/erasures", { body: { phoneNumber: RINGS } }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, "CALL_IS_LIVE"]);
      expect(answer.body.error.details).toEqual([{ path: ["callIds"], message: callId }]);
    }
    const both = await user.send("POST", "/api/v1/erasures", { body: { callId, phoneNumber: RINGS } });
    expect(both.status).toBe(400);
    await user.send("DELETE", `/api/v1/calls/outbound/${callId}`);
  });

  it("passes over a line of the file that a crash cut short", async () => {
    await writeFile(join(folder, "erasures.jsonl"), '{"callId":"call_01k4b2s9h3e8t9v0w1x2');
    const user = await start();
    expect((await user.send("GET", "/api/v1/erasures")).body.data).toEqual([]);
  });
});
