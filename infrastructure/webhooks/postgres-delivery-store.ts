import type pg from "pg";
import type { SecretBox } from "../../application/ports/secret-box.ts";
import type { DeliveryId, OwnerId } from "../../domain/shared/ids.ts";
import type { ClaimedDelivery, DeliveryStore, LeasedEndpoint } from "./delivery-store.ts";
import { recordAttempts } from "./postgres-record.ts";
import { retire } from "./postgres-retention.ts";
import { openSecrets, type SealedSecretsRow } from "./postgres-secrets.ts";
import { inTransaction } from "./transaction.ts";

/** The delivery loop's side of the outbox in PostgreSQL. */
export function postgresDeliveryStore(pool: pg.Pool, box: SecretBox): DeliveryStore {
  return {
    async dueOwners(worker, nowMs, limit) {
      const found = await pool.query<{ owner_id: OwnerId }>(DUE_OWNERS, [worker, new Date(nowMs), limit]);
      return found.rows.map((row) => row.owner_id);
    },
    async lease(worker, owners, ttlMs) {
      const taken = await pool.query<EndpointRow>(LEASE, [worker, owners, ttlMs]);
      return taken.rows.map((row) => leasedEndpoint(box, row));
    },
    async release(worker, owners) {
      await pool.query(
        "update work.webhook_endpoint_state set worker = null, lease_until = null where worker = $1 and owner_id = any($2)",
        [worker, owners],
      );
    },
    async claim(claims, nowMs) {
      const rows = await pool.query<ClaimedRow>(CLAIM, [JSON.stringify(claims), new Date(nowMs)]);
      return rows.rows.toSorted(oldestFirst).map(claimed);
    },
    async giveBack(deliveries) {
      await pool.query(GIVE_BACK, [
        JSON.stringify(deliveries.map(({ owner, id, attempt }) => ({ owner, id, attempt }))),
      ]);
    },
    record: (attempts, healths) => recordAttempts(pool, attempts, healths),
    async recoverUnknown(owners, beforeMs, nowMs, underWay) {
      const result = await pool.query(RECOVER, [owners, new Date(beforeMs), new Date(nowMs), underWay]);
      return result.rowCount ?? 0;
    },
    async hold(owners, nowMs) {
      await inTransaction(pool, async (client) => {
        const idle = await client.query<{ owner_id: OwnerId }>(
          "select owner_id from config.webhook_endpoints where owner_id = any($1) and not in_use order by owner_id for share",
          [owners],
        );
        const held = idle.rows.map((row) => row.owner_id);
        await client.query(HOLD_OPEN, [held, new Date(nowMs)]);
      });
    },
    retire: (nowMs, limit) => retire(pool, nowMs, limit),
    async oldestUndelivered() {
      const found = await pool.query<{ at: Date | null }>(
        "select min(created_at) as at from work.webhook_deliveries where status in ('pending', 'retrying', 'sending') or status = 'held'",
      );
      return found.rows[0]?.at?.getTime() ?? null;
    },
  };
}

type EndpointRow = SealedSecretsRow & {
  owner_id: OwnerId;
  version: string;
  url: string;
  in_use: boolean;
  breaker_failures: number;
  breaker_open_until: Date | null;
  breaker_wait_ms: number;
  silent_since: Date;
  exhausted: boolean;
  proven: boolean;
};

function leasedEndpoint(box: SecretBox, row: EndpointRow): LeasedEndpoint {
  return {
    owner: row.owner_id,
    version: Number(row.version),
    url: row.url,
    inUse: row.in_use,
    secrets: openSecrets(box, row.owner_id, row),
    health: {
      breaker: {
        failures: row.breaker_failures,
        openUntilMs: row.breaker_open_until?.getTime() ?? null,
        waitMs: row.breaker_wait_ms,
      },
      silentSinceMs: row.silent_since.getTime(),
      exhausted: row.exhausted,
    },
    proven: row.proven,
  };
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

/** Jumps from owner to owner through the index instead of reading every open delivery. */
const DUE_OWNERS = `
with recursive owner(owner_id) as (
  (select owner_id from work.webhook_deliveries where status in ('pending', 'retrying', 'sending') order by owner_id limit 1)
  union all
  select (select d.owner_id from work.webhook_deliveries d
    where d.status in ('pending', 'retrying', 'sending') and d.owner_id > owner.owner_id order by d.owner_id limit 1)
  from owner where owner.owner_id is not null
)
select owner.owner_id from owner
left join work.webhook_endpoint_state state on state.owner_id = owner.owner_id
where owner.owner_id is not null
  and (state.worker is null or state.worker = $1 or state.lease_until < now())
  and exists (select 1 from work.webhook_deliveries d
    where d.owner_id = owner.owner_id and d.status in ('pending', 'retrying', 'sending') and d.next_attempt_at <= $2)
limit $3`;

const LEASE = `
with mine as (
  update work.webhook_endpoint_state set worker = $1, lease_until = now() + $3 * interval '1 millisecond'
  where owner_id in (
    select owner_id from work.webhook_endpoint_state
    where owner_id = any($2) and (worker is null or worker = $1 or lease_until < now())
    order by owner_id for update
  )
  returning *
)
select mine.owner_id, endpoint.version, endpoint.url, endpoint.in_use, secret.sealed, secret.previous, secret.previous_until,
  mine.breaker_failures, mine.breaker_open_until, mine.breaker_wait_ms, mine.silent_since, mine.exhausted, mine.proven
from mine
join config.webhook_endpoints endpoint on endpoint.owner_id = mine.owner_id
join config.webhook_secrets secret on secret.owner_id = mine.owner_id`;

/** One statement, one commit: the start of every attempt handed out is durable before a byte of it leaves. */
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
      and (d.after_id is null or not exists (
        select 1 from work.webhook_deliveries first
        where first.owner_id = d.owner_id and first.id = d.after_id
          and first.status not in ('delivered', 'dead') and first.failures < 3))
    order by d.next_attempt_at, d.id
    limit wanted."limit"
    for update of d skip locked
  ) due
)
update work.webhook_deliveries d set status = 'sending', attempts = d.attempts + 1, started_at = $2
from picked, work.webhook_messages message
where d.owner_id = picked.owner_id and d.id = picked.id and message.owner_id = d.owner_id and message.event_id = d.event_id
returning d.owner_id, d.id, d.event_id, message.body, d.attempts, d.failures, d.trigger, d.recovering, d.next_attempt_at`;

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

const HOLD_OPEN = `
update work.webhook_deliveries set status = 'held', held_until = $2::timestamptz + interval '7 days'
where owner_id = any($1) and status in ('pending', 'retrying')`;
