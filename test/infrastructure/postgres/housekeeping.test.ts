import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeExpired } from "../../../infrastructure/postgres/housekeeping.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());

const left = async (table: string, column: string) => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select ${column} as name from work.${table} order by 1`,
  );
  return rows.map(({ name }) => name);
};
const insert = (sql: string) => database.pool.query(sql);
const ago = (hours: number) => `now() - interval '${hours} hours'`;

it("removes slots that were closed for 24 h, and never an open one", async () => {
  const slot = (id: string, closed: string) =>
    `('${id}', 'usr_1', 1, ${ago(99)}, ${ago(99)}, ${ago(99)}, false, 1, 1, 1, ${closed})`;
  await insert(`insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls,
    max_concurrent_calls, available_credits, closed_at)
    values ${slot("old", ago(24.1))}, ${slot("fresh", ago(23.9))}, ${slot("open", "null")}`);
  await removeExpired(database.pool);
  expect(await left("call_slots", "call_id")).toEqual(["fresh", "open"]);
});

it("removes idempotency keys after 24 h", async () => {
  const key = (name: string, hours: number) => `('usr_1', 'POST', '/', '${name}', 'h', '{}', ${ago(hours)})`;
  await insert(`insert into work.idempotency_keys (owner_id, method, path, key, body_hash, ids, created_at)
    values ${key("old", 24.1)}, ${key("fresh", 23.9)}`);
  await removeExpired(database.pool);
  expect(await left("idempotency_keys", "key")).toEqual(["fresh"]);
});

it("removes commands after 24 h, answered or not", async () => {
  await insert(`insert into work.campaign_commands (id, campaign_id, owner_id, payload, enqueued_at)
    values ('old', 'cmp_1', 'usr_1', '{}', ${ago(24.1)}), ('fresh', 'cmp_1', 'usr_1', '{}', ${ago(23.9)})`);
  await removeExpired(database.pool);
  expect(await left("campaign_commands", "id")).toEqual(["fresh"]);
});

it("removes sealed imports after 48 h, and keeps what was never sealed", async () => {
  await insert(`insert into work.imports (import_id, campaign_id, begun_at, sealed) values
    ('sealed', 'cmp_1', ${ago(48.1)}, true), ('fresh', 'cmp_1', ${ago(47.9)}, true), ('unsealed', 'cmp_1', ${ago(99)}, false)`);
  await removeExpired(database.pool);
  expect(await left("imports", "import_id")).toEqual(["fresh", "unsealed"]);
});

it("forgets campaigns that asked for nothing in 24 h, unless they have live calls or wait for credits", async () => {
  const demand = (name: string, live: number, credits: string, hours: number) =>
    `('usr_1', '${name}', ${live}, ${credits}, 0, extract(epoch from ${ago(hours)}) * 1000)`;
  await insert(`insert into work.slot_demand (owner_id, campaign_id, live, credits_wanted, last_grant_ms, until_ms)
    values ${demand("done", 0, "null", 25)}, ${demand("live", 1, "null", 25)}, ${demand("poor", 0, "5", 25)}, ${demand("fresh", 0, "null", 23)}`);
  await removeExpired(database.pool);
  expect(await left("slot_demand", "campaign_id")).toEqual(["fresh", "live", "poor"]);
});

it("removes reports of progress after 24 h", async () => {
  await insert(`insert into work.campaign_progress (campaign_id, owner, as_of, due_now)
    values ('old', 'usr_1', ${ago(24.1)}, 1), ('fresh', 'usr_1', ${ago(23.9)}, 1)`);
  await removeExpired(database.pool);
  expect(await left("campaign_progress", "campaign_id")).toEqual(["fresh"]);
});

it("reads nothing that is kept, however much there is of it", async () => {
  const each = "from generate_series(1, 5000) as n";
  await insert(`insert into work.number_dials (owner_id, number, at, call_id)
    select 'usr_1', n, ${ago(1)}, 'call_' || n ${each}`);
  await insert(`insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls,
    max_concurrent_calls, available_credits, closed_at)
    select 'call_' || n, 'usr_1', 1, ${ago(1)}, ${ago(1)}, ${ago(1)}, false, 1, 1, 1, ${ago(1)} ${each}`);
  await insert(`insert into work.idempotency_keys (owner_id, method, path, key, body_hash, ids, created_at)
    select 'usr_1', 'POST', '/', n, 'h', '{}', ${ago(1)} ${each}`);
  await insert(`insert into work.campaign_commands (id, campaign_id, owner_id, payload, enqueued_at)
    select n, 'cmp_1', 'usr_1', '{}', ${ago(1)} ${each}`);
  await insert("analyze");
  const client = await database.pool.connect();
  await client.query("begin");
  const before = await readIn(client);
  await removeExpired(client);
  const after = await readIn(client);
  await client.query("rollback");
  client.release();
  // Those of the tests before this one were removed, and may still be met.
  const read = Object.entries(after).map(([name, rows]) => ({ name, read: rows - (before[name] ?? 0) }));
  expect(read.filter(({ read }) => read > 10)).toEqual([]);
  expect(read).toHaveLength(4);
});

/** Rows that this connection has read of each table, with those of a moment before its transaction. */
async function readIn(client: pg.PoolClient): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ name: string; read: number }>(
    `select relname as name, (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
     where relname in ('number_dials', 'call_slots', 'idempotency_keys', 'campaign_commands') order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
}
