import type pg from "pg";
import type { DeliveryQuery } from "../../../application/ports/webhook-settings.ts";
import type {
  DeliveryAttemptRecord,
  DeliveryDetailRecord,
  DeliveryRecord,
} from "../../../contract/delivery.ts";
import type { CallId, CampaignId, DeliveryId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { IN_FLIGHT } from "../in-flight.ts";

type DeliveryRow = {
  id: DeliveryId;
  event_id: string;
  event: DeliveryRecord["event"];
  call_id: CallId | null;
  campaign_id: CampaignId | null;
  /** Of the attempts that have ended. */
  status: DeliveryRecord["status"];
  sending: boolean;
  trigger: DeliveryRecord["trigger"];
  attempts: number;
  next_attempt_at: Date;
  created_at: Date;
  delivered_at: Date | null;
};

type AttemptRow = {
  number: number;
  trigger: DeliveryAttemptRecord["trigger"];
  started_at: Date;
  class: DeliveryAttemptRecord["class"];
  http_status: number | null;
  detail: string | null;
  phases: DeliveryAttemptRecord["phases"];
  answer: string | null;
  answer_headers: Record<string, string> | null;
  remote_address: string | null;
  secret_id: string | null;
  next_attempt_at: Date | null;
};

/** Newest first. */
export async function listDeliveries(
  pool: pg.Pool,
  owner: OwnerId,
  query: DeliveryQuery,
): Promise<readonly DeliveryRecord[]> {
  const values: unknown[] = [owner, query.limit];
  const conditions = [
    [query.event, (at: string) => `m.event = ${at}`],
    [query.status === "sending" ? true : undefined, (at: string) => `${IN_FLIGHT} = ${at}`],
    [
      query.status === "sending" ? undefined : query.status,
      (at: string) => `d.status = ${at} and not ${IN_FLIGHT}`,
    ],
    [query.before, (at: string) => `d.id < ${at}`],
    [query.callId, deliveriesOfCall],
  ] as const;
  const where = conditions.flatMap(([value, condition]) => {
    if (value === undefined) return [];
    values.push(value);
    return [` and ${condition(`$${values.length}`)}`];
  });
  const found = await pool.query<DeliveryRow>(
    `${selectOf(SHOWN)}${where.join("")} order by d.id desc limit $2`,
    values,
  );
  return found.rows.map(delivery);
}

/** null: unknown, or another owner's. */
export async function readDelivery(
  pool: pg.Pool,
  owner: OwnerId,
  id: DeliveryId,
): Promise<DeliveryDetailRecord | null> {
  const found = await pool.query<DeliveryRow & { body: string | null }>(
    `${selectOf(`${SHOWN}, m.body`)} and d.id = $2`,
    [owner, id],
  );
  const row = found.rows[0];
  if (row === undefined) return null;
  const log = await pool.query<AttemptRow>(
    "select * from work.webhook_attempts where owner_id = $1 and delivery_id = $2 order by number",
    [owner, id],
  );
  return { ...delivery(row), body: row.body, attemptLog: log.rows.map(attempt) };
}

function deliveriesOfCall(at: string): string {
  return `d.id in (
    select delivery_id from work.webhook_messages where owner_id = $1 and call_id = ${at}
    union all
    select again.id from work.webhook_messages of_call
    join work.webhook_deliveries again
      on again.owner_id = of_call.owner_id and again.event_id = of_call.event_id and again.trigger <> 'auto'
    where of_call.owner_id = $1 and of_call.call_id = ${at})`;
}

/** Without the body, which only one delivery shows: long ones are compressed or stored elsewhere. */
const SHOWN = `d.id, d.event_id, m.event, m.call_id, m.campaign_id, d.status, ${IN_FLIGHT} as sending, d.trigger, d.attempts,
  d.next_attempt_at, d.created_at, d.delivered_at`;

function selectOf(columns: string): string {
  return `
    select ${columns}
    from work.webhook_deliveries d
    join work.webhook_messages m on m.owner_id = d.owner_id and m.event_id = d.event_id
    where d.owner_id = $1`;
}

function delivery(row: DeliveryRow): DeliveryRecord {
  const waits = !row.sending && (row.status === "pending" || row.status === "retrying");
  return {
    id: row.id,
    eventId: row.event_id,
    event: row.event,
    callId: row.call_id,
    campaignId: row.campaign_id,
    status: row.sending ? "sending" : row.status,
    trigger: row.trigger,
    attempts: row.sending ? row.attempts + 1 : row.attempts,
    nextAttemptAt: waits ? instant(row.next_attempt_at) : null,
    createdAt: instant(row.created_at),
    deliveredAt: row.delivered_at === null ? null : instant(row.delivered_at),
  };
}

function attempt(row: AttemptRow): DeliveryAttemptRecord {
  return {
    number: row.number,
    trigger: row.trigger,
    startedAt: instant(row.started_at),
    class: row.class,
    status: row.http_status,
    detail: row.detail,
    phases: row.phases,
    response: row.answer,
    responseHeaders: row.answer_headers,
    remoteAddress: row.remote_address,
    secretId: row.secret_id,
    nextAttemptAt: row.next_attempt_at === null ? null : instant(row.next_attempt_at),
  };
}

function instant(at: Date): Instant {
  return instantFromMillis(at.getTime());
}
