import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OutboxEntry } from "../../../../application/ports/webhook-outbox.ts";
import type { ReplayArchive, WebhookSettings } from "../../../../application/ports/webhook-settings.ts";
import { type DeliveryLoop, deliveryLoop } from "../../../../application/webhook/delivery/delivery-loop.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { instantFromMillis, plusMillis } from "../../../../domain/shared/instant.ts";
import type { CallWebhookKind } from "../../../../domain/webhook/kinds.ts";
import { addressPolicy } from "../../../../infrastructure/http/address-guard.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import { secretBox } from "../../../../infrastructure/secrets.ts";
import { attemptSender } from "../../../../infrastructure/webhook/delivery/attempt.ts";
import { postgresDeliveryStore } from "../../../../infrastructure/webhook/delivery/postgres-delivery-store.ts";
import { postgresOutbox } from "../../../../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../../../../infrastructure/webhook/settings/postgres-webhook-settings.ts";
import { verifyBySeed } from "../../../../simulation/campaigns/seed-verifier.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentLogger, silentMetrics } from "../../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../../support/database.ts";
import { type MovingClock, movingClock } from "../../../support/moving-clock.ts";
import type { TestDatabase } from "../../../support/postgres.ts";
import { type ScriptedReceivers, scriptedReceivers } from "../../../support/scripted-receivers.ts";
import { webhookEntry } from "../../../support/webhook-loop-world.ts";

const url = "http://127.0.0.1:8080/hook";
const box = secretBox(Buffer.alloc(32, 1));

let database: TestDatabase;
let owner: OwnerId;
let clock: MovingClock;
let receivers: ScriptedReceivers;
let settings: WebhookSettings & ReplayArchive;
let loop: DeliveryLoop;
let enqueue: (...entries: OutboxEntry[]) => Promise<void>;

beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());

beforeEach(() => {
  owner = systemIds.next("usr");
  clock = movingClock(Date.now());
  receivers = scriptedReceivers();
  const { pool } = database;
  const deps = { pool, box, clock, ids: systemIds, sendAttempt: attemptSender(receivers) };
  loop = deliveryLoop({
    ...deps,
    store: postgresDeliveryStore(pool, box),
    random: () => 0.5,
    logger: silentLogger,
    metrics: silentMetrics,
    worker: owner,
  });
  settings = postgresWebhookSettings({
    ...deps,
    policy: addressPolicy(["127.0.0.0/8"]),
    resolve: (name) =>
      name === "intern.example" ? Promise.resolve(["10.0.0.1"]) : Promise.reject(new Error("none")),
    onChange: (owners) => loop.refresh(owners),
  });
  const outbox = postgresOutbox({ ...deps, onQueued: (owners) => loop.wake(owners) });
  enqueue = (...entries) => outbox.enqueue(entries);
  loop.start();
});
/** What could not be recorded in time would be sent again by the loop of the next test. */
afterEach(async () => {
  await loop.stop(0);
  await database.pool.query("truncate work.webhook_deliveries cascade");
});

const put = (enabled = true) => settings.put(owner, { url, enabled, events: null });
/** Of now: bodies of long ago are dropped whenever the loop looks. */
const HAPPENED = instantFromMillis(Date.now());
const uniqueEntry = (kind: CallWebhookKind = "call.ended") => ({
  ...webhookEntry(owner, systemIds.uuid(), kind),
  occurredAt: HAPPENED,
});
const statuses = async () => (await settings.deliveries(owner, { limit: 100 })).map(({ status }) => status);
const eventuallyStatuses = (expected: string[]) =>
  asTimePasses(`deliveries ${expected.join()}`, async () => (await statuses()).join() === expected.join());

/**
 * A wake that came between a change and its lease is made up for a second later, on a clock
 * that moves only here.
 */
function asTimePasses<T>(what: string, probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  let looks = 0;
  return eventually(what, () => {
    looks += 1;
    if (looks % 100 === 0) clock.advance(1_000);
    return probe();
  });
}

/** Queues one event and answers it so; resolves with its delivery when that is recorded. */
async function deliverOne(status: number) {
  receivers.always(url, status);
  const entry = uniqueEntry();
  await enqueue(entry);
  const found = await asTimePasses("a recorded attempt", async () => {
    const all = await settings.deliveries(owner, { limit: 1 });
    return all.find(
      (delivery) => delivery.eventId === entry.eventId && !["pending", "sending"].includes(delivery.status),
    );
  });
  receivers.always(url, null);
  return { entry, delivery: found };
}

describe("put and get", () => {
  it("shows nothing before the first PUT, and then the settings with their counts, never the secret", async () => {
    expect(await settings.get(owner)).toBeNull();
    const answer = await put();
    const endpoint = await settings.get(owner);
    expect(answer).toEqual({ saved: true, endpoint });
    expect(endpoint).toEqual({
      url,
      enabled: true,
      events: ["call.started", "call.ended"],
      status: "enabled",
      disabledReason: null,
      pending: 0,
      held: 0,
      dead: 0,
      oldestUndeliveredAt: null,
    });
  });

  it.each([
    ["http://10.0.0.1/", "address_not_allowed"],
    ["https://intern.example/", "address_not_allowed"],
    ["https://unknown.example/", "host_not_found"],
    ["https://u:p@127.0.0.1/", "credentials_in_url"],
    ["gopher://127.0.0.1/", "scheme_not_allowed"],
  ])("refuses %s as %s and keeps what was there", async (refused, reason) => {
    await put();
    expect(await settings.put(owner, { url: refused, enabled: true, events: null })).toEqual({
      saved: false,
      reason,
    });
    expect((await settings.get(owner))?.url).toBe(url);
  });

  it("holds while disabled, counts it, and sends it once enabled", async () => {
    await put(false);
    await enqueue(uniqueEntry());
    expect(await settings.get(owner)).toMatchObject({
      status: "disabled",
      disabledReason: "manual",
      held: 1,
    });
    expect((await settings.get(owner))?.oldestUndeliveredAt).not.toBeNull();
    receivers.always(url, 200);
    await put(true);
    await eventuallyStatuses(["delivered"]);
  });

  it("is disabled as gone by a 410, and in use again by a PUT", async () => {
    await put();
    await deliverOne(410);
    expect(await settings.get(owner)).toMatchObject({ enabled: false, disabledReason: "gone", held: 1 });
    receivers.always(url, 200);
    await put();
    await eventuallyStatuses(["delivered"]);
  });

  it("is misconfigured by an address that is not allowed", async () => {
    await put();
    await enqueue(uniqueEntry());
    const [request] = await asTimePasses("a request", () =>
      receivers.open().length > 0 ? receivers.open() : null,
    );
    request?.answer({ kind: "blocked", reason: "address_not_allowed" });
    await eventuallyStatuses(["held"]);
    expect(await settings.get(owner)).toMatchObject({ enabled: true, status: "misconfigured" });
  });
});

describe("secrets", () => {
  it("are made once, shown as whsec_ and 32 bytes, and stored encrypted only", async () => {
    const secret = await settings.secret(owner);
    await put();
    expect(await settings.secret(owner)).toBe(secret);
    expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
    const stored = await database.pool.query("select * from config.webhook_secrets where owner_id = $1", [
      owner,
    ]);
    expect(stored.rows[0].sealed.includes(Buffer.from(secret))).toBe(false);
  });

  const signedBy = (secret: string, header = "x-service-signature"): boolean => {
    const request = receivers.requests.at(-1);
    const headers = { ...request?.headers, "x-service-signature": request?.headers[header] };
    return verifyBySeed(secret, headers, Buffer.from(request?.body ?? ""), clock.nowMillis()).status === 200;
  };

  it("sign side by side during an overlap, and the old one no longer after it", async () => {
    await put();
    const old = await settings.secret(owner);
    const { secret, previousValidUntil } = await settings.rotateSecret(owner, 3_600);
    expect(Date.parse(previousValidUntil ?? "")).toBe(clock.nowMillis() + 3_600_000);
    await deliverOne(200);
    expect([signedBy(old), signedBy(secret, "x-service-signature-next")]).toEqual([true, true]);
    clock.advance(3_600_000);
    await deliverOne(200);
    expect([signedBy(old), signedBy(secret)]).toEqual([false, true]);
  });

  it("end an overlap with the next rotation", async () => {
    await put();
    const first = await settings.secret(owner);
    const { secret: second } = await settings.rotateSecret(owner, 3_600);
    const { secret: third } = await settings.rotateSecret(owner, 3_600);
    await deliverOne(200);
    expect([signedBy(first), signedBy(second), signedBy(third, "x-service-signature-next")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("have no overlap of zero seconds", async () => {
    await put();
    const { secret, previousValidUntil } = await settings.rotateSecret(owner, 0);
    expect(previousValidUntil).toBeNull();
    await deliverOne(200);
    expect(signedBy(secret)).toBe(true);
    expect(receivers.requests.at(-1)?.headers).not.toHaveProperty("x-service-signature-next");
  });
});

describe("sendTest", () => {
  it("answers null without an endpoint", async () => {
    expect(await settings.sendTest(owner, { event: "call.ended", eventId: "e1", body: "{}" })).toBeNull();
  });

  it("sends a really signed request at once, also while disabled, and logs it", async () => {
    await put(false);
    receivers.always(url, 204);
    const eventId = randomUUID();
    const body = JSON.stringify({ event: "call.started", data: { eventId } });
    const answer = await settings.sendTest(owner, { event: "call.started", eventId, body });
    expect(answer).toMatchObject({
      status: 204,
      response: "ok",
      request: { headers: { "X-Service-Event-Id": eventId, "webhook-id": eventId }, body },
    });
    expect(receivers.requests[0]?.body).toBe(body);
    const [delivery] = await settings.deliveries(owner, { limit: 10 });
    expect(delivery).toMatchObject({
      trigger: "test",
      status: "delivered",
      event: "call.started",
      callId: null,
    });
    const detail = delivery === undefined ? null : await settings.delivery(owner, delivery.id);
    expect(detail?.attemptLog).toMatchObject([
      { number: 1, trigger: "test", class: "delivered", status: 204 },
    ]);
  });
});

describe("deliveries", () => {
  it("are listed newest first, by event, status and call, page by page", async () => {
    await put(false);
    const all = [uniqueEntry("call.started"), uniqueEntry(), uniqueEntry()];
    for (const entry of all) await enqueue(entry);
    const listed = await settings.deliveries(owner, { limit: 2 });
    expect(listed.map(({ eventId }) => eventId)).toEqual([all[2]?.eventId, all[1]?.eventId]);
    const last = listed.at(-1);
    const rest = await settings.deliveries(owner, {
      limit: 2,
      ...(last === undefined ? {} : { before: last.id }),
    });
    expect(rest.map(({ eventId }) => eventId)).toEqual([all[0]?.eventId]);
    const callId = all[1]?.callId;
    const ofCall = await settings.deliveries(owner, {
      limit: 9,
      ...(callId === undefined || callId === null ? {} : { callId }),
    });
    expect(ofCall.map((delivery) => delivery.callId)).toEqual([callId]);
    expect(
      await settings.deliveries(owner, { limit: 9, event: "call.started", status: "held" }),
    ).toHaveLength(1);
    expect(await settings.deliveries(owner, { limit: 9, status: "dead" })).toEqual([]);
  });

  it("are sending while an attempt is in flight, which counts, and nothing else then", async () => {
    await put();
    await enqueue(uniqueEntry());
    const request = await asTimePasses("a request", () => receivers.open()[0]);
    const [found] = await settings.deliveries(owner, { limit: 10, status: "sending" });
    expect(found).toMatchObject({ status: "sending", attempts: 1, nextAttemptAt: null });
    expect(await settings.deliveries(owner, { limit: 10, status: "pending" })).toEqual([]);
    expect(await settings.get(owner)).toMatchObject({ pending: 1, held: 0, dead: 0 });
    await put(false);
    expect(await statuses()).toEqual(["sending"]);
    request.answer(200);
    await eventuallyStatuses(["delivered"]);
    expect(await settings.deliveries(owner, { limit: 10, status: "sending" })).toEqual([]);
  });

  it("belong to their owner only", async () => {
    await put();
    const { delivery } = await deliverOne(200);
    expect(await settings.delivery("usr_somebodyelse", delivery.id)).toBeNull();
    expect(await settings.deliveries("usr_somebodyelse", { limit: 9 })).toEqual([]);
  });

  it("tell each attempt with status, class, phases, answer and the secret's name", async () => {
    await put();
    const { delivery, entry } = await deliverOne(503);
    const detail = await settings.delivery(owner, delivery.id);
    expect(detail).toMatchObject({ body: entry.body, status: "retrying", attempts: 1 });
    expect(detail?.attemptLog).toMatchObject([
      { number: 1, trigger: "auto", class: "refused", status: 503, response: "ok", phases: { firstByte: 1 } },
    ]);
    expect(detail?.attemptLog[0]?.secretId).toMatch(/^[0-9a-f]{12}$/);
    expect(detail?.attemptLog[0]?.nextAttemptAt).toBe(detail?.nextAttemptAt);
  });
});

describe("replay", () => {
  it("is a delivery of its own with one attempt and the same event id and body", async () => {
    await put();
    const { delivery, entry } = await deliverOne(200);
    receivers.always(url, 500);
    const answer = await settings.replay(owner, delivery.id);
    expect(answer).toMatchObject({ replayed: true, delivery: { trigger: "manual", eventId: entry.eventId } });
    await eventuallyStatuses(["dead", "delivered"]);
    expect(receivers.requests.at(-1)).toMatchObject({
      body: entry.body,
      headers: { "x-service-attempt": "1" },
    });
  });

  it("drops the pending retry of the original", async () => {
    await put();
    const { delivery } = await deliverOne(500);
    receivers.always(url, 200);
    await settings.replay(owner, delivery.id);
    await eventuallyStatuses(["delivered", "dead"]);
  });

  it("drops the retry of an attempt that is under way when it fails", async () => {
    await put();
    await enqueue(uniqueEntry());
    const [request] = await asTimePasses("a request", () =>
      receivers.open().length > 0 ? receivers.open() : null,
    );
    const [delivery] = await settings.deliveries(owner, { limit: 1 });
    if (delivery === undefined) throw new Error("no delivery");
    receivers.always(url, 200);
    await settings.replay(owner, delivery.id);
    request?.answer(500);
    await eventuallyStatuses(["delivered", "dead"]);
  });

  it("is refused for what does not exist", async () => {
    expect(await settings.replay(owner, "dlv_none")).toEqual({ replayed: false, reason: "not_found" });
  });
});

describe("replayRange", () => {
  const range = { from: plusMillis(HAPPENED, -3_600_000), to: plusMillis(HAPPENED, 3_600_000) };

  it("replays each stored event of the range once, however often it is asked with the same id", async () => {
    await put();
    await deliverOne(200);
    await deliverOne(200);
    receivers.always(url, 200);
    expect(await settings.replayRange(owner, "replay-1", range)).toEqual({ deliveries: 2 });
    expect(await settings.replayRange(owner, "replay-1", range)).toEqual({ deliveries: 2 });
    await eventuallyStatuses(["delivered", "delivered", "delivered", "delivered"]);
    // An attempt whose result could not be stored in time is made again, under the same id.
    expect(new Set(receivers.requests.map(({ headers }) => headers["x-service-delivery-id"])).size).toBe(4);
  });

  it("takes only what is in the range and of the kinds asked for", async () => {
    await put(false);
    await enqueue(uniqueEntry("call.started"), { ...uniqueEntry(), occurredAt: range.to });
    expect(await settings.replayRange(owner, "r", { ...range, events: ["call.ended"] })).toEqual({
      deliveries: 0,
    });
    expect(await settings.replayRange(owner, "r", range)).toEqual({ deliveries: 1 });
  });

  it("takes only the kinds that the endpoint takes, unless others are asked for", async () => {
    await put(false);
    await enqueue(uniqueEntry("call.started"), uniqueEntry());
    await settings.put(owner, { url, enabled: false, events: ["call.ended"] });
    expect(await settings.replayRange(owner, "r", range)).toEqual({ deliveries: 1 });
    const asked = { ...range, events: ["call.started"] } as const;
    expect(await settings.replayRange(owner, "s", asked)).toEqual({ deliveries: 1 });
  });

  it("keeps the order within a call", async () => {
    await put(false);
    const callId = `call_${systemIds.uuid()}` as const;
    const started = { ...uniqueEntry("call.started"), callId };
    await enqueue(started, { ...uniqueEntry(), callId, occurredAt: plusMillis(HAPPENED, 1_000) });
    await settings.replayRange(owner, "r", range);
    await put(true);
    const [first, ...others] = await asTimePasses("a request", () =>
      receivers.open().length > 0 ? receivers.open() : null,
    );
    expect(first?.headers["x-service-event-id"]).toBe(started.eventId);
    expect(others).toEqual([]);
    receivers.always(url, 200);
    first?.answer(200);
    await eventuallyStatuses(["delivered", "delivered", "dead", "dead"]);
  });

  it("sends what was never queued when it is made again from the log, and once for each id", async () => {
    const [entry, stored] = [uniqueEntry(), uniqueEntry()];
    await enqueue(entry);
    await put(false);
    await enqueue(stored);
    const { eventId } = entry;
    expect(await settings.missing(owner, [eventId, stored.eventId])).toEqual(new Set([eventId]));
    await settings.store(owner, [entry, { ...stored, body: "another" }]);
    expect(await settings.missing(owner, [eventId])).toEqual(new Set());
    for (const _time of [1, 2])
      expect(await settings.replayRange(owner, "r", range)).toEqual({ deliveries: 2 });
    receivers.always(url, 200);
    await put(true);
    await eventuallyStatuses(["delivered", "delivered", "dead"]);
    // An attempt whose result could not be stored in time is made again.
    expect(new Set(receivers.requests.map(({ body }) => body))).toEqual(new Set([entry.body, stored.body]));
  });

  it("keeps no ordinary delivery back that comes after the replay", async () => {
    const entry = uniqueEntry();
    await put(false);
    await settings.store(owner, [entry]);
    await settings.replayRange(owner, "r", range);
    await enqueue(entry);
    await enqueue(entry);
    const triggers = (await settings.deliveries(owner, { limit: 9 })).map(({ trigger }) => trigger);
    expect(triggers.toSorted()).toEqual(["auto", "manual"]);
  });
});
