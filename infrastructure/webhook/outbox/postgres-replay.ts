import type pg from "pg";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Ids } from "../../../application/ports/ids.ts";
import type { OutboxEntry } from "../../../application/ports/webhook-outbox.ts";
import type { ReplayRange } from "../../../application/ports/webhook-settings.ts";
import { createRecentMap, type RecentMap } from "../../../application/recent-map.ts";
import type { CallId, CampaignId, DeliveryId, OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { subjectOf, type WebhookEventKind } from "../../../domain/webhook/kinds.ts";
import { inTransaction } from "../../postgres/transaction.ts";
import { IN_FLIGHT } from "../in-flight.ts";

export type ReplayDeps = { readonly pool: pg.Pool; readonly clock: Clock; readonly ids: Ids };

type Replayed = { eventId: string; id: DeliveryId; afterId: DeliveryId | null };

/** Returns the id of the new delivery, or why there is none. */
export async function replayOne(
  deps: ReplayDeps,
  owner: OwnerId,
  id: DeliveryId,
): Promise<{ id: DeliveryId } | "not_found" | "body_dropped" | "erased"> {
  const found = await deps.pool.query<{ event_id: string; kept: boolean; erased: boolean }>(
    `select d.event_id, m.body is not null as kept, exists (
      select 1 from config.subject_keys k where k.subject = m.call_id and k.erased_at is not null) as erased
    from work.webhook_deliveries d
    join work.webhook_messages m on m.owner_id = d.owner_id and m.event_id = d.event_id
    where d.owner_id = $1 and d.id = $2`,
    [owner, id],
  );
  const original = found.rows[0];
  if (original === undefined) return "not_found";
  if (original.erased) return "erased";
  if (!original.kept) return "body_dropped";
  const made = { eventId: original.event_id, id: deps.ids.next("dlv"), afterId: null };
  await insertReplays(deps, owner, null, [made]);
  return { id: made.id };
}

const PAGE = 1_000;

/**
 * Replays the stored events of a range, oldest first; returns how many there are. A repeat with the same id
 * adds only what is missing.
 */
export async function replayStored(
  deps: ReplayDeps,
  owner: OwnerId,
  replayId: string,
  range: ReplayRange,
): Promise<number> {
  const before: LastOfEach = createRecentMap(KEPT_SUBJECTS);
  let count = 0;
  let last: StoredRow | null = null;
  for (;;) {
    const page: StoredRow[] = await storedPage(deps.pool, owner, range, last);
    await insertReplays(
      deps,
      owner,
      replayId,
      page.map((row) => replayOf(deps, row, before)),
    );
    count += page.length;
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return count;
    last = end;
  }
}

/** Those of the events whose body is not stored. */
export async function missingBodies(
  { pool }: Pick<ReplayDeps, "pool">,
  owner: OwnerId,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await pool.query<{ event_id: string }>(MISSING, [owner, eventIds]);
  return new Set(found.rows.map(({ event_id }) => event_id));
}

/** Stores events that were never queued; a range replay finds them. */
export async function storeEntries(
  { pool }: Pick<ReplayDeps, "pool">,
  owner: OwnerId,
  entries: readonly OutboxEntry[],
): Promise<void> {
  await pool.query(STORE, [JSON.stringify(entries.filter((entry) => entry.owner === owner))]);
}

type StoredRow = {
  event_id: string;
  event: WebhookEventKind;
  call_id: CallId | null;
  campaign_id: CampaignId | null;
  phone_number: PhoneNumber | null;
  sequence: number;
  occurred_at: Date;
};

/** The last replay about each call, campaign and number, of those that came last. */
type LastOfEach = RecentMap<ReturnType<typeof subjectOf>, DeliveryId>;
const KEPT_SUBJECTS = 100_000;

function replayOf(deps: ReplayDeps, row: StoredRow, before: LastOfEach): Replayed {
  const id = deps.ids.next("dlv");
  const { call_id: callId, campaign_id: campaignId, phone_number: phoneNumber } = row;
  const subject = subjectOf({ callId, campaignId, phoneNumber });
  const afterId = before.get(subject) ?? null;
  before.set(subject, id);
  return { eventId: row.event_id, id, afterId };
}

async function storedPage(
  pool: pg.Pool,
  owner: OwnerId,
  range: ReplayRange,
  last: StoredRow | null,
): Promise<StoredRow[]> {
  const found = await pool.query<StoredRow>(STORED_PAGE, [
    owner,
    range.from,
    range.to,
    range.events ?? null,
    range.campaignId ?? null,
    last?.occurred_at ?? null,
    last?.sequence ?? null,
    last?.event_id ?? null,
    PAGE,
  ]);
  return found.rows;
}

async function insertReplays(
  deps: ReplayDeps,
  owner: OwnerId,
  replayId: string | null,
  replays: readonly Replayed[],
): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const rows = JSON.stringify(replays);
    const made = await client.query<{ event_id: string }>(INSERT, [owner, replayId, rows, deps.clock.now()]);
    const ids = replays.map((replay) => replay.id);
    await client.query(SUPERSEDE, [owner, made.rows.map((row) => row.event_id), ids]);
  });
}

/** A message without a subject was a test. Those from before 0017 have no sequence. */
const STORED_PAGE = `
select event_id, event, call_id, campaign_id, phone_number, coalesce(sequence, 0) as sequence, occurred_at from work.webhook_messages
where owner_id = $1 and body is not null and coalesce(call_id, campaign_id, phone_number) is not null and occurred_at >= $2 and occurred_at < $3
  and event = any(coalesce($4::text[], (select events from config.webhook_endpoints where owner_id = $1))) and ($5::text is null or campaign_id = $5)
  and ($6::timestamptz is null or (occurred_at, coalesce(sequence, 0), event_id) > ($6, $7::integer, $8::text))
order by occurred_at, coalesce(sequence, 0), event_id limit $9`;

const MISSING = `
select wanted.event_id from unnest($2::text[]) as wanted (event_id)
where not exists (
  select 1 from work.webhook_messages stored
  where stored.owner_id = $1 and stored.event_id = wanted.event_id and stored.body is not null
)`;

/** Without a delivery: an ordinary one may still be queued for them. */
const STORE = `
insert into work.webhook_messages (owner_id, event_id, event, call_id, campaign_id, sequence, occurred_at, body)
select owner, "eventId", kind, "callId", "campaignId", sequence, "occurredAt", body
from json_to_recordset($1) as entry("eventId" text, owner text, kind text, "callId" text, "campaignId" text,
  sequence integer, "occurredAt" timestamptz, body text)
on conflict (owner_id, event_id) do update set body = coalesce(webhook_messages.body, excluded.body)`;

const INSERT = `
with endpoint as (
  select owner_id, in_use from config.webhook_endpoints where owner_id = $1 for share
)
insert into work.webhook_deliveries (owner_id, id, event_id, trigger, replay_id, after_id, status, next_attempt_at, held_until, created_at)
select endpoint.owner_id, replay.id, replay."eventId", 'manual', $2, replay."afterId",
  case when endpoint.in_use then 'pending' else 'held' end, $4,
  case when endpoint.in_use then null else $4::timestamptz + interval '7 days' end, $4
from json_to_recordset($3) as replay("eventId" text, id text, "afterId" text), endpoint
on conflict do nothing
returning event_id`;

/** The waiting retry is dropped; an attempt in flight may succeed, and is not repeated if it does not. */
const SUPERSEDE = `
update work.webhook_deliveries d set superseded = true, held_until = null,
  status = case when ${IN_FLIGHT} then status else 'dead' end
where owner_id = $1 and event_id = any($2) and not id = any($3)
  and (status in ('pending', 'retrying') or status = 'held')`;
