import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AttemptRecord, ClaimedDelivery } from "../../../../application/ports/delivery-store.ts";
import { systemClock } from "../../../../infrastructure/clock.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import { claimDue } from "../../../../infrastructure/webhook/delivery/postgres-claim.ts";
import { recordAttempts } from "../../../../infrastructure/webhook/delivery/postgres-record.ts";
import { postgresOutbox } from "../../../../infrastructure/webhook/outbox/postgres-outbox.ts";
import { migratedDatabase } from "../../../support/database.ts";
import { openTestPool, type TestDatabase } from "../../../support/postgres.ts";
import { webhookEntry } from "../../../support/webhook-loop-world.ts";

/**
 * What a claim and a record cost must not grow with what was delivered before, whether the planner
 * has statistics or not.
 */

const OWNER = "usr_a";
const WAITING = 500;
const CLAIMED = 50;
const RECORDED = 20;
/**
 * Rows and index entries that a statement may read for each delivery it is about: itself, the one before
 * it, and older versions.
 */
const ROWS_EACH = 10;
/** Deliveries in a table that may as well be read whole, once. */
const FEW = 4_500;

let database: TestDatabase;
/** One connection, so that its statistics are those of the statements. */
let pool: pg.Pool;

beforeEach(async () => {
  database = await migratedDatabase();
  pool = openTestPool(database.connectionString, 1);
  await pool.query("alter table work.webhook_deliveries set (autovacuum_enabled = off)");
  await pool.query(
    `insert into config.webhook_endpoints (owner_id, url, enabled, events, created_at, updated_at)
     values ($1, 'http://127.0.0.1/', true, '{call.started, call.ended}', now(), now())`,
    [OWNER],
  );
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

it("plans its statements once a connection", async () => {
  const outbox = postgresOutbox({ pool, clock: systemClock, ids: systemIds, onQueued: () => undefined });
  for (let round = 0; round < 3; round += 1) {
    await outbox.enqueue([webhookEntry(OWNER, `${round}`)]);
    await claimDue(pool, [{ owner: OWNER, version: 1, limit: CLAIMED }], Date.now());
    await recordAttempts(pool, [], []);
  }
  const { rows } = await pool.query(
    "select name, custom_plans::integer as made_anew from pg_prepared_statements where name like 'webhook-%' order by name",
  );
  const names = ["webhook-claim", "webhook-enqueue", "webhook-record"];
  expect(rows).toEqual(names.map((name) => ({ name, made_anew: 0 })));
});

it.each([
  [0, "without"],
  [1_000, "without"],
  [4_000, "without"],
  [4_000, "with"],
  [20_000, "without"],
  [20_000, "with"],
])("reads only the deliveries concerned, after %i others, %s statistics", async (done, statistics) => {
  // A connection keeps the plans that it made while there was nothing.
  await claimDue(pool, [{ owner: OWNER, version: 1, limit: CLAIMED }], Date.now());
  await recordAttempts(pool, [], []);
  await pool.query(FILL, [OWNER, done]);
  if (statistics === "with") await pool.query("analyze work.webhook_deliveries");
  const claimed: ClaimedDelivery[] = [];
  const claiming = await rowsReadBy(async () => {
    claimed.push(...(await claimDue(pool, [{ owner: OWNER, version: 1, limit: CLAIMED }], Date.now())));
  });
  expect(claimed).toHaveLength(CLAIMED);
  const whole = done + WAITING <= FEW ? done + WAITING : 0;
  expect(claiming).toBeLessThan(whole + CLAIMED * ROWS_EACH);
  const ended = claimed.slice(0, RECORDED).map(delivered);
  expect(await rowsReadBy(() => recordAttempts(pool, ended, []))).toBeLessThan(whole + RECORDED * ROWS_EACH);
});

it("writes a delivery once more, when its attempt has ended, and keeps no start of what has ended", async () => {
  await pool.query(FILL, [OWNER, 0]);
  const before = await rowsChanged();
  const claimed = await claimDue(pool, [{ owner: OWNER, version: 1, limit: CLAIMED }], Date.now());
  expect((await rowsChanged()) - before).toBe(0);
  await recordAttempts(pool, claimed.slice(0, RECORDED).map(delivered), []);
  expect((await rowsChanged()) - before).toBe(RECORDED);
  const starts = async () =>
    (await pool.query("select cardinality(deliveries)::integer as of from work.webhook_starts order by id"))
      .rows;
  await claimDue(pool, [{ owner: OWNER, version: 1, limit: 1 }], Date.now());
  expect(await starts()).toEqual([{ of: CLAIMED }, { of: 1 }]);
  await recordAttempts(pool, claimed.map(delivered), []);
  expect((await rowsChanged()) - before).toBe(CLAIMED);
  await claimDue(pool, [{ owner: OWNER, version: 1, limit: 1 }], Date.now());
  expect(await starts()).toEqual([{ of: 1 }, { of: 1 }]);
});

async function rowsChanged(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    "select n_tup_upd::integer as count from pg_stat_user_tables where relid = 'work.webhook_deliveries'::regclass",
  );
  return rows[0].count;
}

async function rowsReadBy(work: () => Promise<void>): Promise<number> {
  const before = await rowsRead();
  await work();
  return (await rowsRead()) - before;
}

async function rowsRead(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    `select seq_tup_read + (
       select sum(idx_tup_read) from pg_stat_user_indexes where relid = 'work.webhook_deliveries'::regclass
     ) as count from pg_stat_user_tables where relid = 'work.webhook_deliveries'::regclass`,
  );
  return Number(rows[0].count);
}

function delivered(delivery: ClaimedDelivery): AttemptRecord {
  return {
    owner: delivery.owner,
    id: delivery.id,
    number: delivery.attempt,
    trigger: "auto",
    startedAtMillis: 0,
    endedAtMillis: 1,
    class: "delivered",
    httpStatus: 200,
    detail: null,
    phases: { dns: null, connect: null, tls: null, firstByte: 1, total: 2 },
    answer: "",
    answerHeaders: {},
    remoteAddress: null,
    secretId: "abc",
    status: "delivered",
    failures: 0,
    nextAttemptAtMillis: null,
  };
}

/** Deliveries of long ago, and some that wait, each after another one that is done. */
const FILL = `
with delivery as (
  select 'dlv_' || n as id, 'dlv_' || n - ${WAITING} as after, n > $2 as waits from generate_series(1, $2 + ${WAITING}) n
), message as (
  insert into work.webhook_messages (owner_id, event_id, event, occurred_at, body, delivery_id)
  select $1, id, 'call.ended', now(), '{}', id from delivery
)
insert into work.webhook_deliveries (owner_id, id, event_id, trigger, after_id, status, next_attempt_at, created_at)
select $1, id, id, 'auto', after, case when waits then 'pending' else 'delivered' end, now(), now() from delivery`;
