import type pg from "pg";
import type { CallId } from "../../domain/shared/ids.ts";
import { emptyBodies } from "../webhook/outbox/empty-bodies.ts";

/**
 * Removes the texts of these calls from stored webhooks: bodies lose their texts and keep their event.
 * Answers of receivers (which may repeat the texts), parked events and digests of requests are removed. A
 * repeated request with such an Idempotency-Key is then a conflict, so nobody is called again. False: an
 * attempt with the old body is in flight; its record comes when it ends.
 */
export async function clearCalls(pool: pg.Pool, callIds: readonly CallId[]): Promise<boolean> {
  await emptyBodies(pool, callIds);
  const { rows } = await pool.query<{ busy: boolean }>(BUSY, [callIds]);
  for (const statement of CLEAR) await pool.query(statement, [callIds]);
  return rows[0]?.busy !== true;
}

const DELIVERIES = `select d.owner_id, d.id from work.webhook_messages m
  join work.webhook_deliveries d on d.owner_id = m.owner_id and d.event_id = m.event_id
  where m.call_id = any($1::text[])`;

const BUSY = `select exists (${DELIVERIES} and d.status = 'sending') as busy`;

const CLEAR = [
  `update work.webhook_attempts set answer = null, answer_headers = null, detail = null
   where (owner_id, delivery_id) in (${DELIVERIES})`,
  `update work.idempotency_keys set body_hash = 'erased' where ids ->> 'callId' = any($1::text[])`,
  `update work.parked_events set event = '{"erased": true}' where stream in (select 'call-' || unnest($1::text[]))`,
];
