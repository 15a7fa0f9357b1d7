import type pg from "pg";
import type { Claim, ClaimedDelivery } from "../../../application/ports/delivery-store.ts";
import type { DeliveryId, OwnerId } from "../../../domain/shared/ids.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction } from "../../postgres/transaction.ts";

/** The space of our locks of claims; the other half of a lock is the owner. */
const CLAIM_LOCKS = 5928221;

/** See DeliveryStore.claim. */
export async function claimDue(
  pool: pg.Pool,
  claims: readonly Claim[],
  nowMillis: number,
): Promise<readonly ClaimedDelivery[]> {
  const owners = claims.map(({ owner }) => owner);
  const values = [JSON.stringify(claims), new Date(nowMillis)];
  const claim = async (client: pg.PoolClient) => {
    await client.query({ name: "webhook-claim-turn", text: CLAIM_TURN, values: [owners] });
    return client.query<ClaimedRow>({ name: "webhook-claim", text: CLAIM, values });
  };
  const found = await inTransaction(pool, claim, BEGIN_WITH_KEPT_PLANS);
  return found.rows.toSorted(oldestFirst).map(claimed);
}

/** See DeliveryStore.giveBack. */
export async function giveBack(pool: pg.Pool, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await inTransaction(
    pool,
    async (client) => {
      await removeStarts(
        client,
        deliveries.map(({ owner, id, attempt }) => ({ owner, id, number: attempt })),
      );
      const owners = deliveries.map(({ owner }) => owner);
      await client.query(DROP_SUPERSEDED, [owners, deliveries.map(({ id }) => id)]);
    },
    BEGIN_WITH_KEPT_PLANS,
  );
}

type Start = { readonly owner: OwnerId; readonly id: DeliveryId; readonly number: number };

/** The caller's transaction says how these attempts ended. One that was recovered meanwhile is not touched. */
export async function removeStarts(client: pg.PoolClient, starts: readonly Start[]): Promise<void> {
  const text = REMOVE_STARTS;
  const values = [
    starts.map(({ owner }) => owner),
    starts.map(({ id }) => id),
    starts.map(({ number }) => number),
  ];
  await client.query({ name: "webhook-remove-starts", text, values });
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
 * Claims for one endpoint take turns, also those of a process that lost its lease and does not know it: each
 * sees the starts of the one before. A lock in memory, so that a claim that finds nothing writes nothing.
 */
const CLAIM_TURN = `
select pg_advisory_xact_lock(${CLAIM_LOCKS}, place)
from (select distinct hashtext(owner) as place from unnest($1::text[]) as owner order by place) as places`;

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
      and (d.owner_id, d.id) not in (
        select started.owner_id, unnest(started.deliveries) from work.webhook_starts started
        where started.owner_id in (select owner from wanted))
      -- A single value is looked up by its key; "not exists" may become a list of all that are not done, made by reading every delivery.
      and coalesce((
        select first.status in ('delivered', 'dead') or first.failures >= 3 from work.webhook_deliveries first
        where first.owner_id = d.owner_id and first.id = d.after_id), true)
    order by d.next_attempt_at, d.id
    limit wanted."limit"
  ) due
), started as (
  insert into work.webhook_starts (owner_id, started_at, deliveries)
  select owner_id, $2, array_agg(id) from picked group by owner_id
)
select picked.*, (
  select message.body from work.webhook_messages message
  where message.owner_id = picked.owner_id and message.event_id = picked.event_id) as body
from picked`;

/** The start of an attempt counts as long as its delivery has no later one. */
const REMOVE_STARTS = `
with ended as (
  select d.owner_id, d.id from unnest($1::text[], $2::text[], $3::integer[]) as ended(owner, id, number)
  join work.webhook_deliveries d on d.owner_id = ended.owner and d.id = ended.id and d.attempts = ended.number - 1
), locked as materialized (
  select owner_id, id, deliveries from work.webhook_starts
  where owner_id = any($1) and deliveries && $2 order by owner_id, id for update
), rest as materialized (
  select owner_id, id, array(
    select delivery from unnest(deliveries) as delivery
    where (locked.owner_id, delivery) not in (select owner_id, id from ended)) as deliveries
  from locked
), done as (
  delete from work.webhook_starts s using rest
  where s.owner_id = rest.owner_id and s.id = rest.id and rest.deliveries = '{}'
)
update work.webhook_starts s set deliveries = rest.deliveries from rest
where s.owner_id = rest.owner_id and s.id = rest.id and rest.deliveries <> '{}'`;

const DROP_SUPERSEDED = `
update work.webhook_deliveries d set status = 'dead' from unnest($1::text[], $2::text[]) as back(owner, id)
where d.owner_id = back.owner and d.id = back.id and d.superseded and d.status in ('pending', 'retrying')`;

const RECOVER = `
with late as materialized (
  select owner_id, id, started_at, deliveries from work.webhook_starts
  where owner_id = any($1) and started_at < $2 order by owner_id, id for update skip locked
), lost as (
  select late.owner_id, late.started_at, delivery as id from late cross join unnest(late.deliveries) as delivery
  where delivery <> all($4::text[])
), done as (
  delete from work.webhook_starts s using late
  where s.owner_id = late.owner_id and s.id = late.id and not late.deliveries && $4
), kept as (
  update work.webhook_starts s set deliveries = array(
    select delivery from unnest(late.deliveries) as delivery where delivery = any($4::text[]))
  from late where s.owner_id = late.owner_id and s.id = late.id and late.deliveries && $4
), logged as (
  insert into work.webhook_attempts (owner_id, delivery_id, number, trigger, started_at, class, next_attempt_at)
  select d.owner_id, d.id, d.attempts + 1, case when d.recovering then 'recovery' else d.trigger end, lost.started_at, 'unknown',
    case when d.superseded then null else $3::timestamptz end
  from lost join work.webhook_deliveries d using (owner_id, id)
  on conflict do nothing
)
update work.webhook_deliveries d
set status = case when d.superseded then 'dead' else 'retrying' end, attempts = d.attempts + 1, next_attempt_at = $3, recovering = true
from lost where d.owner_id = lost.owner_id and d.id = lost.id`;
