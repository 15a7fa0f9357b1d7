import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Admission } from "../../../application/ports/admission.ts";
import { createPostgresAdmission } from "../../../infrastructure/account/admission/postgres-admission.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";
import { openTestPool } from "../../support/postgres.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";

/**
 * What an admission costs the database must not grow with the calls and owners before it, whether the planner
 * has statistics or not.
 */

const OWNER = "usr_a";
const OTHERS = 5_000;
/** Rows and index entries that admitting and closing one call may read. */
const ROWS_EACH = 60;

let database: WorkDatabase;
/** One connection, so that its plans and statistics are those of the statements. */
let pool: pg.Pool;
let admission: Admission;
beforeEach(async () => {
  database = await workDatabase();
  pool = openTestPool(database.connectionString, 1);
  for (const table of TABLES) await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await pool.query("insert into config.users values ($1, $1, 100, 1000, true, now(), now())", [OWNER]);
  admission = createPostgresAdmission({
    pool,
    notifications: database.notifications,
    logger: silentLogger,
    keys: createMemorySubjectKeys(),
  });
  await admission.topUp(OWNER, 1_000_000, "start");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

it("plans its statements once a connection", async () => {
  for (const callId of ["call_1", "call_2", "call_3"] as const) await wholeLife(callId);
  const { rows } = await pool.query(
    "select name, custom_plans::integer as made_anew from pg_prepared_statements where name like 'admission-%' order by name",
  );
  expect(rows).toEqual(
    ["admission-load", "admission-lock", "admission-write"].map((name) => ({ name, made_anew: 0 })),
  );
});

it.each(["without", "with"])("reads only the rows concerned, %s statistics", async (statistics) => {
  await wholeLife("call_1"); // the plans are made while the tables are small
  await pool.query(FILL, [OTHERS]);
  if (statistics === "with") for (const table of TABLES) await pool.query(`analyze ${table}`);
  const before = await rowsRead();
  await wholeLife("call_2");
  expect((await rowsRead()) - before).toBeLessThan(ROWS_EACH);
});

async function wholeLife(callId: `call_${string}`): Promise<void> {
  const { granted } = await admission.admit({
    owner: OWNER,
    campaignId: null,
    candidates: [{ callId, phoneNumber: "+12025550100", windowClosesAt: null }],
    pricePerMinute: 100,
    maxConcurrentCalls: null,
    maxCallsPerSecond: null,
    connection: null,
  });
  expect(granted).toHaveLength(1);
  await admission.close([{ callId, cost: 50 }]);
}

const TABLES = ["work.call_slots", "work.owner_accounts", "work.ledger", "work.slot_demand"];

async function rowsRead(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ count: number }>(
    `select (sum(seq_tup_read) + (
       select sum(idx_tup_read) from pg_stat_user_indexes where relid = any($1::regclass[])
     ))::integer as count from pg_stat_user_tables where relid = any($1::regclass[])`,
    [TABLES],
  );
  return rows[0]?.count ?? Number.NaN;
}

/** Calls of long ago, of as many other owners. */
const FILL = `
with other as (select 'usr_' || n as owner, 'call_old' || n as call from generate_series(1, $1) n),
account as (insert into work.owner_accounts (owner_id) select owner from other),
entry as (
  insert into work.ledger (owner_id, at, cause, amount, balance, reserved, call_id)
  select owner, now(), 'reserve', 1, 0, 1, call from other
)
insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls,
  max_concurrent_calls, available_credits, closed_at)
select call, owner, 1, now(), now(), now(), false, 0, 1, 1, now() from other`;
