import { crc32 } from "node:zlib";
import type pg from "pg";
import type { Claim, ClaimedDelivery } from "../../../application/ports/delivery-store.ts";
import type { DeliveryId, OwnerId } from "../../../domain/shared/ids.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction } from "../../postgres/transaction.ts";
import { IN_FLIGHT } from "../in-flight.ts";

/** The space of our locks of claims; the other half of a lock is the owner. */
const CLAIM_LOCKS = 5928221;

/** See DeliveryStore.claim. */
export async function claimDue(
  pool: pg.Pool,
  claims: readonly Claim[],
  nowMillis: number,
): Promise<readonly ClaimedDelivery[]> {
  const values = [JSON.stringify(claims), new Date(nowMillis)];
  const found = await inTransaction(
    pool,
    (client) => client.query<ClaimedRow>({ name: "webhook-claim", text: CLAIM, values }),
    `${BEGIN_WITH_KEPT_PLANS}; ${turnsOf(claims)}`,
  );
  return found.rows.toSorted(oldestFirst).map(claimed);
}

/**
 * Claims for one endpoint take turns, also those of a process that lost its lease and does not know it: each
 * sees the starts of the one before. Locks in memory, so that a claim that finds nothing writes nothing.
 */
function turnsOf(claims: readonly Claim[]): string {
  const places = [...new Set(claims.map(({ owner }) => crc32(owner) | 0))].sort((a, b) => a - b);
  return places.map((place) => `select pg_advisory_xact_lock(${CLAIM_LOCKS}, ${place})`).join("; ");
}

/** See DeliveryStore.giveBack. */
export async function giveBack(pool: pg.Pool, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  const owners = deliveries.map(({ owner }) => owner);
  const ids = deliveries.map(({ id }) => id);
  await inTransaction(pool, async (client) => {
    await client.query(VOID_STARTS, [owners, ids, deliveries.map(({ attempt }) => attempt)]);
    await client.query(DROP_SUPERSEDED, [owners, ids]);
  });
}

/** See DeliveryStore.recoverUnknown. */
export async function recoverUnknown(
  pool: pg.Pool,
  owners: readonly OwnerId[],
  beforeMillis: number,
  nowMillis: number,
  underWay: readonly DeliveryId[],
): Promise<number> {
  const result = await pool.query(RECOVER, [owners, new Date(beforeMillis), new Date(nowMillis), underWay]);
  return result.rowCount ?? 0;
}

type ClaimedRow = {
  owner_id: OwnerId;
  id: DeliveryId;
  event_id: string;
  body: string;
  attempts: number;
  failures: number;
  trigger: "auto" | "manual";
  recovering: boolean;
  next_attempt_at: Date;
};

function oldestFirst(a: ClaimedRow, b: ClaimedRow): number {
  return a.next_attempt_at.getTime() - b.next_attempt_at.getTime() || (a.id < b.id ? -1 : 1);
}

function claimed(row: ClaimedRow): ClaimedDelivery {
  return {
    owner: row.owner_id,
    id: row.id,
    eventId: row.event_id,
    body: row.body,
    attempt: row.attempts + 1,
    failures: row.failures,
    trigger: row.trigger,
    recovering: row.recovering,
  };
}

/**
 * One statement, one commit: every returned attempt is durable before a byte of it is sent. Rows of a
 * delivery are looked up one by one, because a planner without statistics may join by the owner alone.
 */
const CLAIM = `
with wanted as (
  select * from json_to_recordset($1) as wanted(owner text, version bigint, "limit" integer)
), picked as materialized (
  select due.*
  from wanted
  join config.webhook_endpoints endpoint
    on endpoint.owner_id = wanted.owner and endpoint.version = wanted.version and endpoint.in_use
  cross join lateral (
    select d.owner_id, d.id, d.event_id, d.attempts, d.failures, d.trigger, d.recovering, d.next_attempt_at
    from work.webhook_deliveries d
    where d.owner_id = wanted.owner and d.status in ('pending', 'retrying') and d.next_attempt_at <= $2
      -- Does not depend on the row, so that it is read once and asked by hash.
      and (d.owner_id, d.id, d.attempts + 1) not in (
        select started.owner_id, unnest(started.deliveries), unnest(started.numbers) from work.webhook_starts started
        where started.owner_id in (select owner from wanted))
      -- A single value is looked up by its key; "not exists" may become a list of all that are not done, made by reading every delivery.
      and coalesce((
        select first.status in ('delivered', 'dead') or first.failures >= 3 from work.webhook_deliveries first
        where first.owner_id = d.owner_id and first.id = d.after_id), true)
    order by d.next_attempt_at, d.id
    limit wanted."limit"
  ) due
), over as (
  delete from work.webhook_starts started where started.owner_id in (select owner_id from picked) and not (
    -- The first that is in flight is enough: one lookup for most rows.
    select coalesce((
      select true from unnest(started.deliveries, started.numbers) as start(id, number)
      where start.number > (
        select d.attempts from work.webhook_deliveries d where d.owner_id = started.owner_id and d.id = start.id)
      limit 1), false))
), begun as (
  insert into work.webhook_starts (owner_id, started_at, deliveries, numbers)
  select owner_id, $2, array_agg(id), array_agg(attempts + 1) from picked group by owner_id
)
select picked.*, (
  select message.body from work.webhook_messages message
  where message.owner_id = picked.owner_id and message.event_id = picked.event_id) as body
from picked`;

/** Of attempts that were not made: no attempt has the number 0. */
const VOID_STARTS = `
with back as (
  select * from unnest($1::text[], $2::text[], $3::integer[]) as back(owner, id, number)
), locked as (
  select owner_id, id, deliveries, numbers from work.webhook_starts
  where owner_id = any($1) and deliveries && $2 order by owner_id, id for update
)
update work.webhook_starts s set numbers = array(
  select case when (locked.owner_id, start.id, start.number) in (select owner, id, number from back) then 0 else start.number end
  from unnest(locked.deliveries, locked.numbers) with ordinality as start(id, number, place) order by place)
from locked where s.owner_id = locked.owner_id and s.id = locked.id`;

const DROP_SUPERSEDED = `
update work.webhook_deliveries d set status = 'dead' from unnest($1::text[], $2::text[]) as back(owner, id)
where d.owner_id = back.owner and d.id = back.id and d.superseded and d.status in ('pending', 'retrying')
  and not ${IN_FLIGHT}`;

const RECOVER = `
with late as materialized (
  select owner_id, id, started_at, deliveries, numbers from work.webhook_starts
  where owner_id = any($1) and started_at < $2 order by owner_id, id for update skip locked
), over as (
  delete from work.webhook_starts s using late
  where s.owner_id = late.owner_id and s.id = late.id and not late.deliveries && $4
), lost as (
  select late.started_at, d.* from late
  cross join unnest(late.deliveries, late.numbers) as start(id, number)
  join work.webhook_deliveries d on d.owner_id = late.owner_id and d.id = start.id and d.attempts = start.number - 1
  where start.id <> all($4::text[])
), logged as (
  insert into work.webhook_attempts (owner_id, delivery_id, number, trigger, started_at, class, next_attempt_at)
  select owner_id, id, attempts + 1, case when recovering then 'recovery' else trigger end, started_at, 'unknown',
    case when superseded then null else $3::timestamptz end
  from lost
  on conflict do nothing
)
update work.webhook_deliveries d
set status = case when d.superseded then 'dead' else 'retrying' end, attempts = lost.attempts + 1, next_attempt_at = $3, recovering = true
from lost where d.owner_id = lost.owner_id and d.id = lost.id and d.attempts = lost.attempts`;
