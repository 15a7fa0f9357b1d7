import type pg from "pg";
import { groupRunner } from "../../../application/group-runner.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Ids } from "../../../application/ports/ids.ts";
import type { OutboxEntry, PendingEnd, WebhookOutbox } from "../../../application/ports/webhook-outbox.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { KINDS_WITH_FACTS, subjectOf } from "../../../domain/webhook/kinds.ts";
import { BEGIN_WITH_KEPT_PLANS_AND_HASHING, inTransaction } from "../../postgres/transaction.ts";
import { emptyBodies } from "./empty-bodies.ts";

export type PostgresOutboxDeps = {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Something was queued for these owners: wakes the delivery loop of this process. */
  readonly onQueued: (owners: readonly OwnerId[]) => void;
};

const LARGEST_GROUP = 1_000;

/** The outbox in PostgreSQL. Entries that are given at the same time share one transaction. */
export function postgresOutbox(deps: PostgresOutboxDeps): WebhookOutbox {
  const { pool } = deps;
  return {
    enqueue: groupCommit((entries) => enqueueGroup(deps, entries), LARGEST_GROUP),
    async takes(owner, kind) {
      const found = await pool.query({ name: "takes a kind", text: TAKES, values: [owner, kind] });
      return found.rows.length > 0;
    },
    async deferEnds(ends) {
      await pool.query(DEFER_ENDS, [JSON.stringify(ends), KINDS_WITH_FACTS]);
    },
    async dueEnds(now, limit) {
      const found = await pool.query<PendingEndRow>(
        "select call_id, owner_id, due from work.pending_ends where due <= $1 order by due, call_id limit $2",
        [now, limit],
      );
      return found.rows.map(pendingEnd);
    },
    async nextEndDue() {
      const found = await pool.query<{ due: Date | null }>("select min(due) as due from work.pending_ends");
      return instantOf(found.rows[0]?.due ?? null);
    },
    async endWaits(callId) {
      const found = await pool.query("select 1 from work.pending_ends where call_id = $1", [callId]);
      return found.rows.length > 0;
    },
    emptyCalls: (callIds) => emptyBodies(pool, callIds),
    async dropEnds(callIds) {
      await pool.query(ENDS_TOLD, [callIds]);
    },
  };
}

type PendingEndRow = { call_id: CallId; owner_id: OwnerId; due: Date };

function pendingEnd(row: PendingEndRow): PendingEnd {
  return { callId: row.call_id, owner: row.owner_id, due: instantFromMillis(row.due.getTime()) };
}

function instantOf(at: Date | null): Instant | null {
  return at === null ? null : instantFromMillis(at.getTime());
}

type QueuedRow = { readonly owner_id: OwnerId };
type Statement = { readonly text: string; readonly values: readonly unknown[] };
type Run = (statement: Statement) => Promise<{ readonly rows: readonly QueuedRow[] }>;

async function enqueueGroup(deps: PostgresOutboxDeps, entries: readonly OutboxEntry[]): Promise<void> {
  const announced = entries.flatMap(({ kind, callId }) =>
    callId !== null && KINDS_WITH_FACTS.some((each) => each === kind) ? [callId] : [],
  );
  const enqueue = async (client: pg.PoolClient): Promise<readonly OwnerId[]> => {
    const run: Run = ({ text, values }) =>
      client.query<QueuedRow>({ name: "webhook-enqueue", text, values: [...values] });
    const queued = await enqueueWithin(run, deps, entries);
    if (announced.length > 0) await client.query({ name: "ends-told", text: ENDS_TOLD, values: [announced] });
    return queued;
  };
  // The entries of a group may have as many owners, so they are joined with their endpoints by hashing.
  const owners = await inTransaction(deps.pool, enqueue, BEGIN_WITH_KEPT_PLANS_AND_HASHING);
  if (owners.length > 0) deps.onQueued(owners);
}

/**
 * Queues entries that wait for no facts in the caller's transaction, in which `run` runs a statement. Returns
 * the owners whose delivery loops are to be woken after its commit.
 */
export async function enqueueWithin(
  run: Run,
  { ids, clock }: Pick<PostgresOutboxDeps, "ids" | "clock">,
  entries: readonly OutboxEntry[],
): Promise<readonly OwnerId[]> {
  const rows = entries.map((entry) => ({ ...entry, deliveryId: ids.next("dlv") }));
  const now = clock.now();
  const queued = new Set<OwnerId>();
  for (const part of inParts(rows)) {
    const result = await run({ text: ENQUEUE, values: [JSON.stringify(part), now] });
    for (const row of result.rows) queued.add(row.owner_id);
  }
  return [...queued];
}

/**
 * Of two events about the same call, campaign or number the later one is in a later part, because it must
 * find the one before. Rows are written in one order, so that two writers cannot deadlock.
 */
function inParts<Row extends OutboxEntry>(rows: readonly Row[]): readonly Row[][] {
  const once = new Map(rows.map((row) => [`${row.owner} ${row.eventId}`, row]));
  const places = new Map<string, number>();
  const parts: Row[][] = [];
  for (const row of [...once.values()].sort(
    (a, b) => a.sequence - b.sequence || (a.eventId < b.eventId ? -1 : 1),
  )) {
    const subject = `${row.owner} ${subjectOf(row)}`;
    const place = places.get(subject) ?? 0;
    places.set(subject, place + 1);
    const part = parts[place];
    if (part === undefined) parts.push([row]);
    else part.push(row);
  }
  return parts;
}

/**
 * The share lock on the endpoint prevents a concurrent change of its settings: entries queued while it is out
 * of use are held, and a PUT that enables it finds all of them. An event stored only for a range replay is
 * queued as any other. Messages from before 0017 have no sequence: the only one of a call that has a
 * successor was its first.
 */
const ENQUEUE = `
with entry as (
  select * from json_to_recordset($1) as entry("eventId" text, owner text, kind text,
    "callId" text, "campaignId" text, "phoneNumber" text, sequence integer, "occurredAt" timestamptz, body text, "deliveryId" text)
), endpoint as (
  select owner_id, in_use, events from config.webhook_endpoints
  where owner_id in (select owner from entry) order by owner_id for share
), message as (
  insert into work.webhook_messages (owner_id, event_id, event, call_id, campaign_id, phone_number, sequence, occurred_at, body, delivery_id)
  select entry.owner, entry."eventId", entry.kind, entry."callId", entry."campaignId", entry."phoneNumber", entry.sequence, entry."occurredAt", entry.body, entry."deliveryId"
  from entry join endpoint on endpoint.owner_id = entry.owner and entry.kind = any(endpoint.events)
  order by entry.owner, entry."eventId"
  on conflict (owner_id, event_id) do update
    set delivery_id = excluded.delivery_id, sequence = excluded.sequence, body = coalesce(webhook_messages.body, excluded.body)
    where webhook_messages.delivery_id is null
  returning owner_id, event_id, call_id, campaign_id, phone_number, sequence, delivery_id
)
insert into work.webhook_deliveries (owner_id, id, event_id, trigger, after_id, status, next_attempt_at, held_until, created_at)
select message.owner_id, message.delivery_id, message.event_id, 'auto',
  case when message.call_id is not null then (
    select before.delivery_id from work.webhook_messages before
    where before.owner_id = message.owner_id and before.call_id = message.call_id
      and coalesce(before.sequence, 1) < message.sequence and before.delivery_id is not null
    order by coalesce(before.sequence, 1) desc limit 1
  ) when message.phone_number is not null then (
    select before.delivery_id from work.webhook_messages before
    where before.owner_id = message.owner_id and before.phone_number = message.phone_number
      and before.sequence < message.sequence and before.delivery_id is not null
    order by before.sequence desc limit 1
  ) else (
    select before.delivery_id from work.webhook_messages before
    where before.owner_id = message.owner_id and before.campaign_id = message.campaign_id and before.call_id is null
      and before.sequence < message.sequence and before.delivery_id is not null
    order by before.sequence desc limit 1
  ) end,
  case when endpoint.in_use then 'pending' else 'held' end, $2,
  case when endpoint.in_use then null else $2::timestamptz + interval '7 days' end, $2
from message join endpoint on endpoint.owner_id = message.owner_id
returning owner_id`;

const TAKES = "select 1 from config.webhook_endpoints where owner_id = $1 and $2 = any(events)";

const ENDS_TOLD = "delete from work.pending_ends where call_id = any($1)";

const DEFER_ENDS = `
insert into work.pending_ends (call_id, owner_id, due)
select distinct on (pending."callId") pending."callId", pending.owner, pending.due
from json_to_recordset($1) as pending("callId" text, owner text, due timestamptz)
where not exists (
  select 1 from work.webhook_messages sent
  where sent.owner_id = pending.owner and sent.call_id = pending."callId" and sent.event = any($2)
    and sent.delivery_id is not null
)
order by pending."callId", pending.due
on conflict (call_id) do update set due = excluded.due where excluded.due < pending_ends.due`;

/**
 * Runs items that are given at the same time together, at most `largest` (except items of one call). When a
 * group fails, all of its callers fail.
 */
export function groupCommit<Item>(
  run: (items: readonly Item[]) => Promise<void>,
  largest: number,
): (items: readonly Item[]) => Promise<void> {
  const runTogether = groupRunner<readonly Item[], void>({
    run: async (given) => {
      await run(given.flat());
      return given.map(() => undefined);
    },
    largest,
    weigh: ({ length }) => length,
    failsForAll: () => true,
  });
  return async (items) => {
    if (items.length > 0) await runTogether(items);
  };
}
