import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, someCall, someCampaign, someOwner } from "../../contracts/admission/admission-world.ts";
import { postgresAdmissionOn } from "../../contracts/admission/postgres-admission-world.ts";
import { openTestPool } from "../../support/postgres.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";

let database: WorkDatabase;
/** One connection, so that its statistics are those of the admission. */
let pool: pg.Pool;
beforeAll(async () => {
  database = await workDatabase();
  pool = openTestPool(database.connectionString, 1);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("reads no turns that are over, however many the last hour had", async () => {
  const world = postgresAdmissionOn(database, pool);
  const owner = await someOwner(world, { maxCallsPerSecond: 10 });
  const campaign = { campaignId: someCampaign(), maxCallsPerSecond: 1 };
  await ask(world, owner, [someCall(), someCall()], campaign);
  await pool.query(PASSED, [owner]);
  await pool.query("analyze work.call_slots");
  const before = await slotsRead();
  const { granted } = await ask(world, owner, [someCall()], campaign);
  expect(granted).toHaveLength(1);
  expect((await slotsRead()) - before).toBeLessThan(100);
  await world.end();
});

async function slotsRead(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    `select seq_tup_read + (
       select sum(idx_tup_read) from pg_stat_user_indexes where relid = 'work.call_slots'::regclass
     ) as count from pg_stat_user_tables where relid = 'work.call_slots'::regclass`,
  );
  return Number(rows[0].count);
}

/** Calls of the last hour that their campaign's own pace had put off, and that have ended. */
const PASSED = `
insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls,
  max_concurrent_calls, available_credits, closed_at)
select 'call_passed' || n, $1, 1, at, at, at, true, 0, 10, 0, now()
from generate_series(1, 5000) n, lateral (select now() - n * interval '0.5 seconds' - interval '10 seconds' as at) moment`;
