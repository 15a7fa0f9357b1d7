import type pg from "pg";
import {
  BODY_KEPT_MILLIS,
  type DeliveryStore,
  type LeasedEndpoint,
} from "../../../application/ports/delivery-store.ts";
import type { SecretBox } from "../../../application/ports/secret-box.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { inTransaction } from "../../postgres/transaction.ts";
import { openSecrets, type SealedSecretsRow } from "../endpoint-secrets.ts";
import { IN_FLIGHT } from "../in-flight.ts";
import { claimDue, giveBack, recoverUnknown } from "./postgres-claim.ts";
import { recordAttempts } from "./postgres-record.ts";

/** The outbox in PostgreSQL, for the delivery loop. */
export function postgresDeliveryStore(pool: pg.Pool, box: SecretBox): DeliveryStore {
  return {
    async dueOwners(worker, nowMillis, limit) {
      const found = await pool.query<{ owner_id: OwnerId }>(DUE_OWNERS, [worker, new Date(nowMillis), limit]);
      return found.rows.map((row) => row.owner_id);
    },
    async lease(worker, owners, ttlMillis) {
      const taken = await pool.query<EndpointRow>(LEASE, [worker, owners, ttlMillis]);
      return taken.rows.map((row) => leasedEndpoint(box, row));
    },
    async release(worker, owners) {
      await pool.query(
        "update work.webhook_endpoint_state set worker = null, lease_until = null where worker = $1 and owner_id = any($2)",
        [worker, owners],
      );
    },
    claim: (claims, nowMillis) => claimDue(pool, claims, nowMillis),
    giveBack: (deliveries) => giveBack(pool, deliveries),
    record: (attempts, healths) => recordAttempts(pool, attempts, healths),
    recoverUnknown: (...of) => recoverUnknown(pool, ...of),
    async hold(owners, nowMillis) {
      await inTransaction(pool, async (client) => {
        const idle = await client.query<{ owner_id: OwnerId }>(
          "select owner_id from config.webhook_endpoints where owner_id = any($1) and not in_use order by owner_id for share",
          [owners],
        );
        const held = idle.rows.map((row) => row.owner_id);
        await client.query(HOLD_OPEN, [held, new Date(nowMillis)]);
      });
    },
    retire: (nowMillis, limit) => retire(pool, nowMillis, limit),
    async oldestUndelivered() {
      const found = await pool.query<{ at: Date | null }>(
        "select min(created_at) as at from work.webhook_deliveries where status in ('pending', 'retrying') or status = 'held'",
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
        openUntilMillis: row.breaker_open_until?.getTime() ?? null,
        waitMillis: row.breaker_wait_ms,
      },
      silentSinceMillis: row.silent_since.getTime(),
      exhausted: row.exhausted,
    },
    proven: row.proven,
  };
}

/** Skips from owner to owner through the index instead of reading every open delivery. */
const DUE_OWNERS = `
with recursive owner(owner_id) as (
  (select owner_id from work.webhook_deliveries where status in ('pending', 'retrying') order by owner_id limit 1)
  union all
  select (select d.owner_id from work.webhook_deliveries d
    where d.status in ('pending', 'retrying') and d.owner_id > owner.owner_id order by d.owner_id limit 1)
  from owner where owner.owner_id is not null
)
select owner.owner_id from owner
left join work.webhook_endpoint_state state on state.owner_id = owner.owner_id
where owner.owner_id is not null
  and (state.worker is null or state.worker = $1 or state.lease_until < now())
  and exists (select 1 from work.webhook_deliveries d
    where d.owner_id = owner.owner_id and d.status in ('pending', 'retrying') and d.next_attempt_at <= $2)
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

const HOLD_OPEN = `
update work.webhook_deliveries d set status = 'held', held_until = $2::timestamptz + interval '7 days'
where d.owner_id = any($1) and d.status in ('pending', 'retrying') and not ${IN_FLIGHT}`;

/** One round of retention in the outbox; returns how many rows it changed. */
async function retire(pool: pg.Pool, nowMillis: number, limit: number): Promise<number> {
  const died = await pool.query(GIVE_UP_HELD, [new Date(nowMillis), limit]);
  const dropped = await pool.query(DROP_BODIES, [new Date(nowMillis - BODY_KEPT_MILLIS), limit]);
  return (died.rowCount ?? 0) + (dropped.rowCount ?? 0);
}

const GIVE_UP_HELD = `
update work.webhook_deliveries d set status = 'dead', held_until = null
from (
  select owner_id, id from work.webhook_deliveries where status = 'held' and held_until <= $1 limit $2 for update skip locked
) late
where d.owner_id = late.owner_id and d.id = late.id`;

const DROP_BODIES = `
update work.webhook_messages m set body = null, phone_number = null
from (
  select owner_id, event_id from work.webhook_messages old
  where old.body is not null and old.occurred_at < $1 and not exists (
    select 1 from work.webhook_deliveries d
    where d.owner_id = old.owner_id and d.event_id = old.event_id and d.status in ('pending', 'retrying')
  ) and not exists (
    select 1 from work.webhook_deliveries d
    where d.owner_id = old.owner_id and d.event_id = old.event_id and d.status = 'held')
  limit $2
) old
where m.owner_id = old.owner_id and m.event_id = old.event_id`;
