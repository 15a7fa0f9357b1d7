import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutboxEntry } from "../../application/ports/webhook-outbox.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { addressPolicy } from "../../infrastructure/http/address-guard.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { secretBox } from "../../infrastructure/secrets.ts";
import { postgresOutbox } from "../../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../../infrastructure/webhook/settings/postgres-webhook-settings.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";

/**
 * What a dead worker held is another one's within 10 s: its lease has at most 8 s left, and then
 * the next look finds it.
 */
const LONGEST_LEASE_MILLIS = 8_000;
const FOUND_WITHIN_MILLIS = 2_000;
/** Attempts that were under way are sent again after 20 s. */
const UNKNOWN_AFTER_MILLIS = 20_000;

type Arrival = { readonly eventId: string; readonly attempt: string; readonly at: number };

let database: TestDatabase;
let server: http.Server;
let url = "";
let answers = true;
const arrivals: Arrival[] = [];
const workers: ChildProcess[] = [];

beforeAll(async () => {
  database = await migratedDatabase();
  server = http.createServer((request, response) => {
    const { "x-service-event-id": eventId, "x-service-attempt": attempt } = request.headers;
    arrivals.push({ eventId: String(eventId), attempt: String(attempt), at: performance.now() });
    request.resume();
    if (answers) response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
});
afterAll(async () => {
  await Promise.all(workers.map(kill));
  server.closeAllConnections();
  server.close();
  await database.drop();
});

function startWorker(name: string): ChildProcess {
  const args = ["test/support/webhook-worker.ts", database.connectionString, "1", name];
  const worker = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  workers.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, "exit");
  worker.kill("SIGKILL");
  await gone;
}

function entry(owner: OwnerId, name: string): OutboxEntry {
  const of = {
    owner,
    kind: "call.ended",
    callId: systemIds.next("call"),
    campaignId: null,
    sequence: 2,
  } as const;
  return { ...of, eventId: name, occurredAt: systemClock.now(), body: JSON.stringify({ event: name }) };
}

function openOutbox() {
  const { pool } = database;
  const deps = { pool, box: secretBox(Buffer.alloc(32, 1)), clock: systemClock, ids: systemIds };
  const settings = postgresWebhookSettings({
    ...deps,
    sendAttempt: () => Promise.reject(new Error("nothing is sent here")),
    policy: addressPolicy(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new Error("no names here")),
    onChange: () => undefined,
  });
  return { settings, outbox: postgresOutbox({ ...deps, onQueued: () => undefined }) };
}

async function leaseOf(owner: OwnerId): Promise<{ readonly worker: string | null; readonly left: number }> {
  const { rows } = await database.pool.query(
    `select worker, extract(epoch from lease_until - now())::float8 * 1000 as "left"
      from work.webhook_endpoint_state where owner_id = $1`,
    [owner],
  );
  return rows[0] ?? { worker: null, left: 0 };
}

/** So much time passes for the database. */
async function pass(owner: OwnerId, millis: number): Promise<void> {
  const values = [owner, millis];
  await database.pool.query(
    "update work.webhook_endpoint_state set lease_until = lease_until - $2 * interval '1 millisecond' where owner_id = $1",
    values,
  );
  await database.pool.query(
    "update work.webhook_starts set started_at = started_at - $2 * interval '1 millisecond' where owner_id = $1",
    values,
  );
}

const arrived = (name: string, withinMillis = 60_000) =>
  eventually(`arrival of ${name}`, () => arrivals.find(({ eventId }) => eventId === name), withinMillis);

describe("the endpoint of a worker that died", () => {
  const owner = systemIds.next("usr");
  const other = systemIds.next("usr");

  it("is taken over by a worker of another name within 10 s, and delivered to", async () => {
    const { settings, outbox } = openOutbox();
    await settings.put(owner, { url, enabled: true, events: null });
    const one = startWorker("one");
    await outbox.enqueue([entry(owner, "first")]);
    await arrived("first");
    await settings.put(other, { url, enabled: true, events: null });
    await database.pool.query(
      "update work.webhook_endpoint_state set worker = 'two', lease_until = now() + interval '1 hour' where owner_id = $1",
      [other],
    );
    await outbox.enqueue([entry(other, "proof that two is at work")]);
    startWorker("two");
    await arrived("proof that two is at work");
    answers = false;
    await outbox.enqueue([entry(owner, "under way")]);
    await arrived("under way");
    await kill(one);
    answers = true;
    await outbox.enqueue([entry(owner, "after the death")]);
    const lease = await leaseOf(owner);
    expect(lease.worker).toBe("one");
    expect(lease.left).toBeLessThanOrEqual(LONGEST_LEASE_MILLIS);
    await pass(owner, LONGEST_LEASE_MILLIS);
    const lapsedAt = performance.now();
    const { at } = await arrived("after the death", 10_000);
    expect(at - lapsedAt).toBeLessThanOrEqual(FOUND_WITHIN_MILLIS);
    expect((await leaseOf(owner)).worker).toBe("two");
  });

  it("gets what was under way again, once, with the next number: every attempt is counted once", async () => {
    const { settings } = openOutbox();
    await pass(owner, UNKNOWN_AFTER_MILLIS);
    const again = () => arrivals.filter(({ eventId }) => eventId === "under way");
    await eventually("the second attempt", () => again().length === 2);
    expect(again().map(({ attempt }) => attempt)).toEqual(["1", "2"]);
    const detail = await eventually("its record", async () => {
      const [delivery] = (await settings.deliveries(owner, { limit: 10 })).filter(
        ({ eventId, status }) => eventId === "under way" && status === "delivered",
      );
      return delivery === undefined ? null : settings.delivery(owner, delivery.id);
    });
    expect(detail.attempts).toBe(2);
    expect(detail.attemptLog.map(({ number, trigger, class: how }) => [number, trigger, how])).toEqual([
      [1, "auto", "unknown"],
      [2, "recovery", "delivered"],
    ]);
  });

  it("counted every delivery of its life once", async () => {
    const { settings } = openOutbox();
    const deliveries = await settings.deliveries(owner, { limit: 10 });
    expect(deliveries).toHaveLength(3);
    for (const { eventId, attempts } of deliveries)
      expect(attempts).toBe(arrivals.filter((arrival) => arrival.eventId === eventId).length);
  });
});
