import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OutboxEntry, WebhookOutbox } from "../../../../application/ports/webhook-outbox.ts";
import type { ReplayArchive, WebhookSettings } from "../../../../application/ports/webhook-settings.ts";
import type { CampaignId, OwnerId } from "../../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../../domain/shared/instant.ts";
import { ALL_KINDS } from "../../../../domain/webhook/kinds.ts";
import { addressPolicy } from "../../../../infrastructure/http/address-guard.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import { secretBox } from "../../../../infrastructure/secrets.ts";
import { postgresOutbox } from "../../../../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../../../../infrastructure/webhook/settings/postgres-webhook-settings.ts";
import { campaignEntry } from "../../../contracts/webhook-outbox/world.ts";
import { migratedDatabase } from "../../../support/database.ts";
import { movingClock } from "../../../support/moving-clock.ts";
import type { TestDatabase } from "../../../support/postgres.ts";
import { webhookEntry } from "../../../support/webhook-loop-world.ts";

/** Replays and stored bodies in PostgreSQL; nothing delivers here. */
let database: TestDatabase;
let owner: OwnerId;
let settings: WebhookSettings & ReplayArchive;
let outbox: WebhookOutbox;
let wakes: (readonly OwnerId[])[];

beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = systemIds.next("usr");
  wakes = [];
  const deps = { pool: database.pool, clock: movingClock(), ids: systemIds };
  outbox = postgresOutbox({ ...deps, onQueued: (owners) => void wakes.push(owners) });
  settings = postgresWebhookSettings({
    ...deps,
    box: secretBox(Buffer.alloc(32, 1)),
    sendAttempt: () => Promise.reject(new Error("nothing is sent here")),
    policy: addressPolicy(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new Error("nothing is resolved here")),
    onChange: () => undefined,
  });
  await settings.put(owner, { url: "http://127.0.0.1:8080/", enabled: true, events: [...ALL_KINDS] });
});

const HAPPENED: Instant = "2026-09-01T10:00:00.000Z";
const range = { from: HAPPENED, to: plusMillis(HAPPENED, 60_000) };
/** Calls of one owner, a millisecond after another. */
const ends = (count: number): OutboxEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    ...webhookEntry(owner, `${owner}${String(index).padStart(5, "0")}`),
    occurredAt: plusMillis(HAPPENED, index),
  }));
const listed = () => settings.deliveries(owner, { limit: 100 });
const bodiesOf = async (of: OwnerId): Promise<string[]> => {
  const found = await database.pool.query(
    "select body from work.webhook_messages where owner_id = $1 order by occurred_at",
    [of],
  );
  return found.rows.map(({ body }) => body);
};

describe("a replay of one delivery is refused", () => {
  const oneDelivery = async () => {
    const [entry] = ends(1);
    if (entry === undefined) throw new Error("no entry");
    await outbox.enqueue([entry]);
    const [delivery] = await listed();
    if (delivery === undefined) throw new Error("no delivery");
    return { entry, delivery };
  };

  it("when its body is not stored any more, and nothing is queued for it", async () => {
    const { delivery } = await oneDelivery();
    await database.pool.query("update work.webhook_messages set body = null where owner_id = $1", [owner]);
    expect(await settings.replay(owner, delivery.id)).toEqual({ replayed: false, reason: "body_dropped" });
    expect(await listed()).toHaveLength(1);
  });

  it("when the words of its call are erased", async () => {
    const { entry, delivery } = await oneDelivery();
    await database.pool.query(
      "insert into config.subject_keys (subject, owner_id, erased_at) values ($1, $2, now())",
      [entry.callId, owner],
    );
    expect(await settings.replay(owner, delivery.id)).toEqual({ replayed: false, reason: "erased" });
    expect(await listed()).toHaveLength(1);
  });

  it("to another owner, as if there were none", async () => {
    const { delivery } = await oneDelivery();
    expect(await settings.replay("usr_nobody", delivery.id)).toEqual({
      replayed: false,
      reason: "not_found",
    });
  });
});

describe("a replay of a range", () => {
  it("takes every event of more than one page, each once, however often it is asked for", async () => {
    const count = 1_003;
    // Of one moment and of two places: a page goes on after the event where the last one ended.
    const all = ends(count).map((entry, index) => ({
      ...entry,
      occurredAt: HAPPENED,
      sequence: 1 + (index % 2),
    }));
    await settings.store(owner, all);
    for (const _time of [1, 2])
      expect(await settings.replayRange(owner, "r", range)).toEqual({ deliveries: count });
    const made = await database.pool.query(
      "select event_id from work.webhook_deliveries where owner_id = $1 order by id",
      [owner],
    );
    expect(made.rows.map(({ event_id }) => event_id).toSorted()).toEqual(
      ends(count).map(({ eventId }) => eventId),
    );
  });

  it("takes a whole page and nothing after it", async () => {
    await settings.store(owner, ends(1_000));
    expect(await settings.replayRange(owner, "r", range)).toEqual({ deliveries: 1_000 });
  });

  it("takes from its beginning on, and not its end", async () => {
    await settings.store(owner, ends(4));
    const middle = { from: plusMillis(HAPPENED, 1), to: plusMillis(HAPPENED, 3) };
    expect(await settings.replayRange(owner, "r", middle)).toEqual({ deliveries: 2 });
  });

  it("takes what is of its campaign alone: the campaign's events and its calls'", async () => {
    const campaignId: CampaignId = `cmp_${owner}`;
    const [mine, others] = ends(2);
    if (mine === undefined || others === undefined) throw new Error("no entry");
    const told = { ...campaignEntry("campaign.started", 3), owner, campaignId };
    await settings.store(owner, [{ ...mine, campaignId }, others, told]);
    await settings.replayRange(owner, "r", { ...range, campaignId });
    const replayed = (await listed()).map(({ eventId }) => eventId);
    expect(replayed.toSorted()).toEqual([mine.eventId, told.eventId].toSorted());
  });

  it("keeps the order of a campaign's events, over a repeat too", async () => {
    const told = (["campaign.started", "campaign.paused", "campaign.resumed"] as const).map(
      (kind, index) => ({
        ...campaignEntry(kind, index + 1, owner),
        owner,
      }),
    );
    await settings.store(owner, told);
    for (const _time of [1, 2]) await settings.replayRange(owner, "r", range);
    const chain = await database.pool.query(
      `select d.event_id, before.event_id as after from work.webhook_deliveries d
       left join work.webhook_deliveries before on before.owner_id = d.owner_id and before.id = d.after_id
       where d.owner_id = $1`,
      [owner],
    );
    const after = new Map(chain.rows.map((row) => [row.event_id, row.after]));
    expect(told.map(({ eventId }) => after.get(eventId))).toEqual([null, told[0]?.eventId, told[1]?.eventId]);
  });
});

describe("stored events", () => {
  it("are the owner's alone, whoever's are given", async () => {
    const [mine] = ends(1);
    if (mine === undefined) throw new Error("no entry");
    const other: OwnerId = `${owner}x`;
    await settings.store(owner, [mine, { ...mine, owner: other, eventId: "another" }]);
    expect([(await bodiesOf(owner)).length, (await bodiesOf(other)).length]).toEqual([1, 0]);
  });

  it("are emptied of their words in every page, and those of other calls are left as they are", async () => {
    const all = ends(121);
    await settings.store(owner, all);
    const erased = all.slice(0, 120).flatMap(({ callId }) => callId ?? []);
    await outbox.emptyCalls(erased);
    const bodies = await bodiesOf(owner);
    expect(bodies.slice(0, 120).every((body) => body.includes('"erased":true'))).toBe(true);
    expect(bodies[120]).toBe(all[120]?.body);
  });

  it("are emptied when they fill their pages to the last place", async () => {
    const all = ends(50);
    await settings.store(owner, all);
    await outbox.emptyCalls(all.flatMap(({ callId }) => callId ?? []));
    expect((await bodiesOf(owner)).every((body) => body.includes('"erased":true'))).toBe(true);
  });
});

describe("entries of one moment", () => {
  it("wake nobody when nothing of them was queued", async () => {
    const [entry] = ends(1);
    if (entry === undefined) throw new Error("no entry");
    await outbox.enqueue([entry]);
    wakes.length = 0;
    await outbox.enqueue([entry]);
    expect(wakes).toEqual([]);
  });

  it("tell each owner once, whatever is queued", async () => {
    await outbox.enqueue(ends(3));
    expect(wakes).toEqual([[owner]]);
  });

  it("of several calls are each behind the one before of their call, whatever their order", async () => {
    const calls = ["a", "b", "c"].flatMap((call) => [
      webhookEntry(owner, `${owner}${call}`, "call.ended"),
      webhookEntry(owner, `${owner}${call}`, "call.started"),
    ]);
    await outbox.enqueue(calls);
    const found = await database.pool.query(
      `select m.call_id, d.event_id, before.event_id as after from work.webhook_deliveries d
       join work.webhook_messages m on m.owner_id = d.owner_id and m.event_id = d.event_id
       left join work.webhook_deliveries before on before.owner_id = d.owner_id and before.id = d.after_id
       where d.owner_id = $1 order by d.event_id`,
      [owner],
    );
    expect(found.rows).toEqual(
      found.rows.map(({ call_id, event_id }) => ({
        ...{ call_id, event_id },
        after: event_id.startsWith("call.ended") ? `call.started ${call_id}` : null,
      })),
    );
    expect(found.rows).toHaveLength(6);
  });
});
