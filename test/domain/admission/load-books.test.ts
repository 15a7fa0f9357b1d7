import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Admitted } from "../../../domain/admission/grants.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import {
  ask,
  someCall,
  someCalls,
  someCampaign,
  someConnection,
  someOwner,
} from "../../contracts/admission/admission-world.ts";
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

it("keeps the dials of a connection apart over a restart, also around turns far ahead", async () => {
  const before = postgresAdmissionOn(database, pool);
  const [slow, other] = [await someOwner(before, { maxCallsPerSecond: 0.2 }), await someOwner(before)];
  const connection = someConnection({ callsPerSecond: 2 });
  const times = [
    ...dialTimes(await ask(before, slow, someCalls(2), { connection })),
    ...dialTimes(await ask(before, other, someCalls(3), { connection })),
  ];
  await before.end();
  const after = postgresAdmissionOn(database, pool);
  const third = await someOwner(after);
  times.push(...dialTimes(await ask(after, third, someCalls(10), { connection })));
  await after.end();
  times.sort((a, b) => a - b);
  expect(times).toHaveLength(15);
  const apart = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(499);
});

it("stores a changed pace and a changed number of lines of a connection", async () => {
  const world = postgresAdmissionOn(database, pool);
  const owner = await someOwner(world);
  const first = someConnection({ callsPerSecond: 5, maxConcurrentCalls: 7 });
  const stored = async () => {
    const { rows } = await pool.query(
      "select per_second, max_live from work.connection_turns where key = $1",
      [first.key],
    );
    return rows[0];
  };
  await ask(world, owner, [someCall()], { connection: first });
  expect(await stored()).toEqual({ per_second: 5, max_live: 7 });
  for (const maxConcurrentCalls of [0, null, 3]) {
    await ask(world, owner, [someCall()], {
      connection: { ...first, callsPerSecond: null, maxConcurrentCalls },
    });
    expect(await stored()).toEqual({ per_second: null, max_live: maxConcurrentCalls });
  }
  await world.end();
});

const dialTimes = ({ granted }: Admitted) => granted.map(({ dialAt }) => millisOf(dialAt));

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
