import type pg from "pg";
import { BODY_KEPT_MILLIS } from "../../../application/ports/delivery-store.ts";

/** One round of retention in the outbox; returns how many rows it changed. */
export async function retire(pool: pg.Pool, nowMillis: number, limit: number): Promise<number> {
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
update work.webhook_messages m set body = null
from (
  select owner_id, event_id from work.webhook_messages old
  where old.body is not null and old.occurred_at < $1 and not exists (
    select 1 from work.webhook_deliveries d
    where d.owner_id = old.owner_id and d.event_id = old.event_id and d.status in ('pending', 'retrying', 'sending')
  ) and not exists (
    select 1 from work.webhook_deliveries d
    where d.owner_id = old.owner_id and d.event_id = old.event_id and d.status = 'held')
  limit $2
) old
where m.owner_id = old.owner_id and m.event_id = old.event_id`;
