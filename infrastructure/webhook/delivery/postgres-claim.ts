import type pg from "pg";
import type { Claim, ClaimedDelivery } from "../../../application/ports/delivery-store.ts";
import type { DeliveryId, OwnerId } from "../../../domain/shared/ids.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction } from "../../postgres/transaction.ts";

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
    BEGIN_WITH_KEPT_PLANS,
  );
  return found.rows.toSorted(oldestFirst).map(claimed);
}

/** See DeliveryStore.giveBack. */
export async function giveBack(pool: pg.Pool, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  const starts = deliveries.map(({ owner, id, attempt }) => ({ owner, id, attempt }));
  await pool.query(GIVE_BACK, [JSON.stringify(starts)]);
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
    attempt: row.attempts,
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
), picked as (
  select due.owner_id, due.id
  from wanted
  join config.webhook_endpoints endpoint
    on endpoint.owner_id = wanted.owner and endpoint.version = wanted.version and endpoint.in_use
  cross join lateral (
    select d.owner_id, d.id from work.webhook_deliveries d
    where d.owner_id = wanted.owner and d.status in ('pending', 'retrying') and d.next_attempt_at <= $2
      -- A single value is looked up by its key; "not exists" may become a list of all that are not done, made by reading every delivery.
      and coalesce((
        select first.status in ('delivered', 'dead') or first.failures >= 3 from work.webhook_deliveries first
        where first.owner_id = d.owner_id and first.id = d.after_id), true)
    order by d.next_attempt_at, d.id
    limit wanted."limit"
    for update of d skip locked
  ) due
)
update work.webhook_deliveries d set status = 'sending', attempts = d.attempts + 1, started_at = $2
from picked
where d.owner_id = picked.owner_id and d.id = picked.id
returning d.owner_id, d.id, d.event_id, d.attempts, d.failures, d.trigger, d.recovering, d.next_attempt_at, (
  select message.body from work.webhook_messages message
  where message.owner_id = d.owner_id and message.event_id = d.event_id) as body`;

const GIVE_BACK = `
update work.webhook_deliveries d
set status = case when d.superseded then 'dead' when d.failures > 0 then 'retrying' else 'pending' end,
  attempts = d.attempts - 1, started_at = null
from json_to_recordset($1) as back(owner text, id text, attempt integer)
where d.owner_id = back.owner and d.id = back.id and d.status = 'sending' and d.attempts = back.attempt`;

const RECOVER = `
with lost as (
  select owner_id, id from work.webhook_deliveries
  where owner_id = any($1) and status = 'sending' and started_at < $2 and id <> all($4::text[])
  for update skip locked
), logged as (
  insert into work.webhook_attempts (owner_id, delivery_id, number, trigger, started_at, class, next_attempt_at)
  select d.owner_id, d.id, d.attempts, case when d.recovering then 'recovery' else d.trigger end, d.started_at, 'unknown',
    case when d.superseded then null else $3::timestamptz end
  from lost join work.webhook_deliveries d using (owner_id, id)
  on conflict do nothing
)
update work.webhook_deliveries d
set status = case when d.superseded then 'dead' else 'retrying' end, next_attempt_at = $3, recovering = true, started_at = null
from lost where d.owner_id = lost.owner_id and d.id = lost.id`;
