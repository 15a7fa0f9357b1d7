import { afterAll, beforeAll, expect, it } from "vitest";
import { BODY_KEPT_MILLIS } from "../../../application/ports/delivery-store.ts";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { postgresDeliveryStore } from "../../../infrastructure/webhook/delivery/postgres-delivery-store.ts";
import { postgresOutbox } from "../../../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../../../infrastructure/webhook/settings/postgres-webhook-settings.ts";
import { migratedDatabase } from "../../support/database.ts";
import { movingClock } from "../../support/moving-clock.ts";
import type { TestDatabase } from "../../support/postgres.ts";
import { webhookOutboxContract } from "./contract.ts";
import { claim, DELIVERED, ended, entry, type OutboxWorld, owner } from "./world.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());

const TABLES = `config.webhook_endpoints, config.webhook_secrets, work.webhook_endpoint_state, work.webhook_messages,
  work.webhook_deliveries, work.webhook_starts, work.webhook_attempts, work.pending_ends`;

async function open(): Promise<OutboxWorld> {
  const { pool } = database;
  await pool.query(`truncate ${TABLES}`);
  const clock = movingClock();
  const box = secretBox(Buffer.alloc(32, 1));
  const queued: OutboxWorld["queued"] = [];
  const settings = postgresWebhookSettings({
    pool,
    box,
    clock,
    ids: systemIds,
    sendAttempt: () => Promise.reject(new Error("nothing is sent here")),
    policy: addressPolicy(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new Error("nothing is resolved here")),
    onChange: () => undefined,
  });
  return {
    outbox: postgresOutbox({ pool, clock, ids: systemIds, onQueued: (owners) => queued.push(...owners) }),
    store: postgresDeliveryStore(pool, box),
    clock,
    queued,
    async putEndpoint(of, { enabled = true, events } = {}) {
      await settings.put(of, { url: "http://127.0.0.1:8080/", enabled, events: events ?? null });
      const found = await pool.query(
        "select version::int from config.webhook_endpoints where owner_id = $1",
        [of],
      );
      return found.rows[0].version;
    },
    async attemptClasses({ owner: of, id }) {
      return (await settings.delivery(of, id))?.attemptLog.map((attempt) => attempt.class) ?? [];
    },
    async statuses(of) {
      return (await settings.deliveries(of, { limit: 100 })).map((delivery) => delivery.status);
    },
    close: () => Promise.resolve(),
  };
}

webhookOutboxContract("the outbox in PostgreSQL", open);

it("drops bodies 14 days after their event, unless a delivery of it is still open", async () => {
  const world = await open();
  await world.putEndpoint(owner);
  await world.outbox.enqueue([entry("call.ended", "1"), entry("call.ended", "2")]);
  const [first] = await claim(world, 1);
  if (first === undefined) throw new Error("nothing was due");
  await world.store.record([ended(world, first, DELIVERED)], []);
  world.clock.advance(BODY_KEPT_MILLIS);
  expect(await world.store.retire(world.clock.nowMillis(), 10)).toBe(0);
  world.clock.advance(1);
  expect(await world.store.retire(world.clock.nowMillis(), 10)).toBe(1);
  const kept = await database.pool.query("select event_id from work.webhook_messages where body is not null");
  expect(kept.rows).toEqual([{ event_id: "call.ended call_2" }]);
});

it("holds call.ended back for a call.started that an older release queued, which had no place", async () => {
  const world = await open();
  await world.putEndpoint(owner);
  await world.outbox.enqueue([entry("call.started")]);
  await database.pool.query("update work.webhook_messages set sequence = null");
  await world.outbox.enqueue([entry("call.ended")]);
  expect((await claim(world)).map(({ eventId }) => eventId)).toEqual(["call.started call_1"]);
});
