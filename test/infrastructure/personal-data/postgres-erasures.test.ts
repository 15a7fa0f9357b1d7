import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callStream, campaignStream } from "../../../application/log/stream-names.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { ContactsImported } from "../../../domain/campaign/events.ts";
import type { CallId, CampaignId, ErasureId, OwnerId } from "../../../domain/shared/ids.ts";
import { createPostgresIdempotency } from "../../../infrastructure/account/idempotency.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { acceptLostKeys } from "../../../infrastructure/personal-data/accept-lost-keys.ts";
import { postgresErasures } from "../../../infrastructure/personal-data/postgres-erasures.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { contact } from "../../domain/campaign/example-campaign.ts";
import { singleRequest } from "../../projections/example-events.ts";
import { migratedDatabase } from "../../support/database.ts";
import { tablesWith } from "../../support/database-text.ts";
import { memoryLog } from "../../support/memory-log.ts";
import type { TestDatabase } from "../../support/postgres.ts";

const OWNER: OwnerId = "usr_1";
const OTHER: OwnerId = "usr_2";
const AT = "2026-11-20T10:00:00.000Z";
const LATER = "2026-11-20T11:00:00.000Z";

let database: TestDatabase;
/** Calls whose keys no process may keep in its memory. */
let forgotten: (readonly string[])[];
beforeEach(async () => {
  database = await migratedDatabase();
  forgotten = [];
});
afterEach(() => database.drop());

const erasures = () =>
  postgresErasures({
    pool: database.pool,
    keys: { forget: (subjects) => void forgotten.push([...subjects]) },
  });

const begin = (id: ErasureId, callIds: readonly CallId[], owner = OWNER) =>
  erasures().begin(
    {
      id,
      owner,
      kind: "phone_number",
      callId: null,
      phoneNumber: "+15005550006",
      recordings: 2,
      createdAt: AT,
    },
    callIds,
  );

const keep = (subject: CallId, erasedAt: string | null = null) =>
  database.pool.query(
    "insert into config.subject_keys (subject, owner_id, sealed_key, erased_at) values ($1, $2, $3, $4)",
    [subject, OWNER, erasedAt === null ? Buffer.alloc(8, 1) : null, erasedAt],
  );

async function keys() {
  const { rows } = await database.pool.query<{ subject: string; key: Buffer | null; erased_at: Date | null }>(
    "select subject, sealed_key as key, erased_at from config.subject_keys order by subject",
  );
  return rows.map(({ subject, key, erased_at: erasedAt }) => [subject, key !== null, erasedAt !== null]);
}

describe("erasures", () => {
  it("begin once, run oldest first until they are done, and tell what they did", async () => {
    await begin("ers_2", ["call_1", "call_2"]);
    await begin("ers_1", ["call_3"], OTHER);
    await begin("ers_2", ["call_9"]);
    const running = { kind: "phone_number" } as const;
    expect(await erasures().running()).toEqual([
      { id: "ers_1", owner: OTHER, ...running, callIds: ["call_3"] },
      { id: "ers_2", owner: OWNER, ...running, callIds: ["call_1", "call_2"] },
    ]);
    await database.pool.query(
      `insert into work.webhook_messages (owner_id, event_id, event, call_id, occurred_at)
       values ('usr_1', 'a', 'call.ended', 'call_1', now()), ('usr_1', 'b', 'call.ended', 'call_8', now())`,
    );
    const [, second] = await erasures().running();
    if (second === undefined) throw new Error("It does not run");
    await erasures().finish(second, AT);
    await erasures().finish(second, LATER);
    expect(await erasures().find(OWNER, "ers_2")).toEqual({
      ...{ id: "ers_2", owner: OWNER, kind: "phone_number", callId: null, phoneNumber: "+15005550006" },
      ...{ status: "done", calls: 2, recordings: 2, deliveries: 1, createdAt: AT, completedAt: AT },
    });
    expect((await erasures().running()).map(({ id }) => id)).toEqual(["ers_1"]);
    expect(await erasures().find(OTHER, "ers_1")).toMatchObject({ status: "running", completedAt: null });
  });

  it("are the owner's alone, in pages, newest first", async () => {
    for (const id of ["ers_1", "ers_2", "ers_3"] as const) await begin(id, ["call_1"]);
    await begin("ers_4", ["call_1"], OTHER);
    expect(await erasures().find(OTHER, "ers_1")).toBeNull();
    const page = async (after: ErasureId | null) => {
      const { rows, next } = await erasures().list(OWNER, { limit: 2, after });
      return [rows.map(({ id }) => id), next];
    };
    expect(await page(null)).toEqual([["ers_3", "ers_2"], "ers_2"]);
    expect(await page("ers_2")).toEqual([["ers_1"], null]);
  });

  it("take the keys for good, and give a call without a key a row that says so", async () => {
    await keep("call_1");
    await keep("call_2");
    const told = { owner: OWNER, erasureId: "ers_1" } as const;
    expect(await erasures().notErased(["call_1", "call_3"])).toEqual(new Set(["call_1", "call_3"]));
    for (let time = 0; time < 2; time += 1)
      await erasures().eraseKeys([
        { ...told, callId: "call_1" },
        { ...told, callId: "call_3" },
      ]);
    expect(await keys()).toEqual([
      ["call_1", false, true],
      ["call_2", true, false],
      ["call_3", false, true],
    ]);
    expect(await erasures().notErased(["call_1", "call_2", "call_3"])).toEqual(new Set(["call_2"]));
    expect(forgotten).toEqual([
      ["call_1", "call_3"],
      ["call_1", "call_3"],
    ]);
  });

  it("keep the time of the first", async () => {
    await keep("call_1", AT);
    await erasures().eraseKeys([{ callId: "call_1", owner: OWNER, erasureId: "ers_1" }]);
    const { rows } = await database.pool.query<{ at: Date }>(
      "select erased_at as at from config.subject_keys",
    );
    expect(rows.map(({ at }) => at.toISOString())).toEqual([AT]);
  });
});

const imported = (campaignId: CampaignId, firstIndex = 0): ContactsImported => ({
  type: "ContactsImported",
  data: { campaignId, importId: "imp_1", firstIndex, contacts: [contact(1 + firstIndex)], at: AT },
});

describe("keys that an operator accepts as lost", () => {
  it("count as erased, for every call of a long log, and those that are there stay", async () => {
    const { eventStore, storeFor } = memoryLog({ clock: systemClock });
    const calls = Array.from({ length: 1_002 }, (_, number): CallId => `call_${number}`);
    for (const callId of calls) {
      const owner = callId === "call_1001" ? OTHER : OWNER;
      await storeFor(owner, callStream(callId), singleRequest(callId, owner));
    }
    await keep("call_5");
    const told: unknown[] = [];
    const logger: Logger = { ...silentLogger, warn: (fields) => void told.push(fields) };
    const accept = () => acceptLostKeys({ pool: database.pool, eventStore, logger });
    await accept();
    await accept();
    const found = await keys();
    expect(found).toHaveLength(calls.length);
    expect(found.filter(([, hasKey, isErased]) => hasKey || !isErased)).toEqual([["call_5", true, false]]);
    expect(told).toEqual([{ calls: calls.length - 1, campaigns: 0 }]);
    const { rows } = await database.pool.query(
      "select owner_id from config.subject_keys where subject in ('call_0', 'call_1001') order by subject",
    );
    expect(rows).toEqual([{ owner_id: OWNER }, { owner_id: OTHER }]);
  });

  it("count as erased for campaigns whose contacts are sealed, and plain ones stay readable", async () => {
    const log = memoryLog({ clock: systemClock });
    await log.storeFor(OWNER, campaignStream("cmp_1"), imported("cmp_1"), imported("cmp_1", 1));
    const [plain] = await eventsToAppend(log.codec, OWNER, [imported("cmp_2")]);
    if (plain === undefined) throw new Error("one event, no stored form");
    const { data } = log.codec.asJson(imported("cmp_2"));
    await log.eventStore.append(campaignStream("cmp_2"), "no_stream", [{ ...plain, data }]);
    const told: unknown[] = [];
    const logger: Logger = { ...silentLogger, warn: (fields) => void told.push(fields) };
    await acceptLostKeys({ pool: database.pool, eventStore: log.eventStore, logger });
    expect([await keys(), told]).toEqual([[["cmp_1", false, true]], [{ calls: 0, campaigns: 1 }]]);
  });
});

it("an answer that names contacts is not kept when it comes after the deletion of their campaign", async () => {
  const idempotency = createPostgresIdempotency(database.pool, silentLogger);
  const request = {
    ...{ owner: OWNER, method: "POST", path: "/api/v1/campaigns", key: "once", bodyHash: "hash" },
    ids: { campaignId: "cmp_1" },
  };
  const begun = await idempotency.begin(request, { waitMillis: 0 });
  if (begun.kind !== "claimed") throw new Error(begun.kind);
  await erasures().clearCampaigns([{ campaignId: "cmp_1", owner: OTHER }]);
  await erasures().clearCampaigns([{ campaignId: "cmp_1", owner: OWNER }]);
  await begun.claim.complete({ status: 201, body: "0532 is refused", headers: {} });
  expect(await tablesWith(database.pool, "0532 is refused")).toEqual([]);
  expect((await idempotency.begin(request, { waitMillis: 0 })).kind).toBe("conflict");
});
