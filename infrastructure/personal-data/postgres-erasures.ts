import type pg from "pg";
import {
  type DeletedCampaign,
  type Erasure,
  type Erasures,
  isErasedCall,
} from "../../application/ports/erasures.ts";
import type { CallId, CampaignId, ErasureId, OwnerId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { pageOf } from "../account/configuration/page.ts";
import type { SubjectKeyRing } from "../account/subject-keys/postgres-subject-keys.ts";
import { emptyRehearsals } from "../rehearsal/end-rehearsals.ts";
import { IN_FLIGHT } from "../webhook/in-flight.ts";
import { emptyBodies } from "../webhook/outbox/empty-bodies.ts";

type Deps = {
  readonly pool: pg.Pool;
  readonly keys: Pick<SubjectKeyRing, "forget">;
};

/** Erasures in work.erasures; keys in config.subject_keys. */
export function postgresErasures({ pool, keys }: Deps): Erasures {
  return {
    async begin({ id, owner, kind, callId, phoneNumber, recordings, createdAt }, callIds) {
      await pool.query(
        `insert into work.erasures (id, owner_id, kind, call_id, phone_number, call_ids, recordings, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing`,
        [id, owner, kind, callId, phoneNumber, callIds, recordings, createdAt],
      );
    },
    async running() {
      const { rows } = await pool.query<RunningRow>(
        "select id, owner_id, kind, call_ids from work.erasures where completed_at is null order by id",
      );
      return rows.map(({ id, owner_id: owner, kind, call_ids: callIds }) => ({ id, owner, kind, callIds }));
    },
    async find(owner, id) {
      const { rows } = await pool.query<Row>(`${SELECT} where owner_id = $1 and id = $2`, [owner, id]);
      const [row] = rows;
      return row === undefined ? null : erasureOf(row);
    },
    async list(owner, { limit, after }) {
      const { rows } = await pool.query<Row>(
        `${SELECT} where owner_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
        [owner, after, limit + 1],
      );
      return pageOf(rows.map(erasureOf), limit, ({ id }) => id);
    },
    async eraseKeys(erased) {
      const subjects = erased.map((one) => (isErasedCall(one) ? one.callId : one.campaignId));
      await pool.query(ERASE, [subjects, erased.map(({ owner }) => owner)]);
      keys.forget(subjects);
    },
    async notErased(ids) {
      const { rows } = await pool.query<{ subject: CallId | CampaignId }>(
        "select subject from config.subject_keys where subject = any($1::text[]) and erased_at is not null",
        [ids],
      );
      const erased = new Set(rows.map(({ subject }) => subject));
      return new Set(ids.filter((id) => !erased.has(id)));
    },
    async clear(callIds) {
      await emptyRehearsals(pool, keys, callIds);
      return clearCalls(pool, callIds);
    },
    clearCampaigns: (campaigns) => clearCampaigns(pool, campaigns),
    async finish({ id, callIds }, at) {
      await pool.query(
        `update work.erasures set completed_at = $2, deliveries =
           (select count(*) from work.webhook_messages where call_id = any($3::text[]))
         where id = $1 and completed_at is null`,
        [id, at, callIds],
      );
    },
  };
}

const ERASE = `
insert into config.subject_keys (subject, owner_id, erased_at)
select subject, owner, now() from unnest($1::text[], $2::text[]) as gone(subject, owner) order by subject
on conflict (subject) do update set sealed_key = null, erased_at = coalesce(subject_keys.erased_at, excluded.erased_at)`;

const SELECT = `select id, owner_id, kind, call_id, phone_number, cardinality(call_ids) as calls, recordings, deliveries,
  created_at, completed_at from work.erasures`;

type RunningRow = Pick<Row, "id" | "owner_id" | "kind"> & { readonly call_ids: CallId[] };

type Row = {
  readonly id: ErasureId;
  readonly owner_id: OwnerId;
  readonly kind: Erasure["kind"];
  readonly call_id: CallId | null;
  readonly phone_number: PhoneNumber | null;
  readonly calls: number;
  readonly recordings: number;
  readonly deliveries: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
};

function erasureOf(row: Row): Erasure {
  return {
    id: row.id,
    owner: row.owner_id,
    kind: row.kind,
    callId: row.call_id,
    phoneNumber: row.phone_number,
    status: row.completed_at === null ? "running" : "done",
    calls: row.calls,
    recordings: row.recordings,
    deliveries: row.deliveries,
    createdAt: instantFromMillis(row.created_at.getTime()),
    completedAt: row.completed_at === null ? null : instantFromMillis(row.completed_at.getTime()),
  };
}

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

const BUSY = `select exists (${DELIVERIES} and ${IN_FLIGHT}) as busy`;

const CLEAR = [
  `update work.webhook_attempts set answer = null, answer_headers = null, detail = null
   where (owner_id, delivery_id) in (${DELIVERIES})`,
  `update work.idempotency_keys set body_hash = 'erased' where ids ->> 'callId' = any($1::text[])`,
  `update work.parked_events set event = '{"erased": true}' where stream in (select 'call-' || unnest($1::text[]))`,
];

/**
 * Answers to imports list refused and repeated numbers. A repeated request with such an Idempotency-Key is a
 * conflict from now on, also one whose answer is still to come.
 */
async function clearCampaigns(pool: pg.Pool, campaigns: readonly DeletedCampaign[]): Promise<void> {
  const values = [campaigns.map(({ owner }) => owner), campaigns.map(({ campaignId }) => campaignId)];
  for (const statement of CLEAR_CAMPAIGNS) await pool.query(statement, values);
}

const GONE = "unnest($1::text[], $2::text[]) as gone(owner, campaign)";

const CLEAR_CAMPAIGNS = [
  `update work.idempotency_keys k set body_hash = 'erased', body = null from ${GONE}
   where k.owner_id = gone.owner
     and (k.ids ->> 'campaignId' = gone.campaign or starts_with(k.path, '/api/v1/campaigns/' || gone.campaign || '/'))`,
  `update work.parked_events p set event = '{"erased": true}' from ${GONE} where p.stream = 'campaign-' || gone.campaign`,
];
