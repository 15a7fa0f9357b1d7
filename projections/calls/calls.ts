import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { CallStatus } from "../../domain/call/events.ts";
import { CALL_TYPES } from "../../domain/event-kinds.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Projection, ReadTransaction, TableOf } from "../engine/projection.ts";
import { createRowWriter, type RowChange } from "../engine/row-writer.ts";
import { type CallProgress, type CallRequest, type CallRow, projectCall, wordless } from "./call-row.ts";
import { type CallMessagesTable, createMessageTable, eraseMessages, writeMessages } from "./message-rows.ts";
import {
  createOutcomeTables,
  eraseOutcomes,
  indexOutcomes,
  writeOutcomes,
  writeTerms,
} from "./outcome-rows.ts";
import { addUsage, createUsageTable } from "./usage.ts";

/** The fields that lists filter and sort by are columns; times are text, because an Instant sorts as text. */
export type CallsTable = {
  readonly id: CallId;
  readonly owner: OwnerId;
  readonly revision: number;
  readonly status: CallStatus;
  /** The status at its end, null before: so no index has to follow a call through its life. */
  readonly ended_as: CallStatus | null;
  readonly campaign_id: CampaignId | null;
  readonly to_number: PhoneNumber;
  readonly created_at: Instant;
  readonly request: CallRequest;
  readonly progress: CallProgress;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.calls_v3": CallsTable;
    readonly "read.call_messages_v3": CallMessagesTable;
  }
}

export const callsProjection: Projection = {
  name: "calls",
  version: 3,
  types: CALL_TYPES,
  tables: ["calls", "call_messages", "usage", "outcomes", "outcome_terms", "outcome_sets"],
  createTables,
  createIndexes,
  openWriter(tableOf) {
    const rows = createRowWriter<CallRow>({
      keyOf: ({ event }) => ("callId" in event.data && CALL_TYPES.has(event.type) ? event.data.callId : null),
      project: projectCall,
      load: (trx, keys) => loadCalls(trx, tableOf, keys),
      save: (trx, changes) => saveCalls(trx, tableOf, changes),
      remembered: 20_000,
      isOver: ({ progress }) => progress.endedAt !== null && progress.recordingStatus !== "pending",
    });
    return {
      async write(trx, events) {
        const poisons = await rows.write(trx, events);
        await writeMessages(trx, tableOf, events);
        await writeOutcomes(trx, tableOf, events);
        await eraseWords(trx, tableOf, events);
        return poisons;
      },
      forget: rows.forget,
    };
  },
};

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  const calls = tableOf("calls");
  await sql`create table ${calls} (
    id text collate "C" primary key,
    owner text not null,
    revision integer not null,
    status text not null,
    ended_as text,
    campaign_id text collate "C",
    to_number text not null,
    created_at text collate "C" not null,
    request json not null,
    progress json not null
  ) with (fillfactor = 50)`.execute(trx);
  await createMessageTable(trx, tableOf);
  await createUsageTable(trx, tableOf);
  await createOutcomeTables(trx, tableOf);
}

async function createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  const calls = tableOf("calls");
  await sql`create index on ${calls} (owner, id)`.execute(trx);
  await sql`create index on ${calls} (owner, created_at, id)`.execute(trx);
  await sql`create index on ${calls} (owner, id) where ended_as is null`.execute(trx);
  await sql`create index on ${calls} (owner, ended_as, id) where ended_as is not null`.execute(trx);
  await sql`create index on ${calls} (campaign_id, id) where campaign_id is not null`.execute(trx);
  await sql`create index on ${calls} (owner, to_number, id)`.execute(trx);
  await indexOutcomes(trx, tableOf);
}

async function loadCalls(
  trx: ReadTransaction,
  tableOf: TableOf,
  ids: readonly string[],
): Promise<Map<string, CallRow>> {
  const { rows } = await sql<Pick<CallsTable, "id" | "owner" | "revision" | "progress">>`
    select id, owner, revision, progress from ${tableOf("calls")} where id = any(${ids}::text[])`.execute(
    trx,
  );
  return new Map(
    rows.map(({ id, owner, revision, progress }) => [id, { revision, owner, request: null, progress }]),
  );
}

async function saveCalls(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly RowChange<CallRow>[],
): Promise<void> {
  const added: CallRow[] = [];
  const moved: Moved[] = [];
  for (const { key, before, after } of changes) {
    if (after === undefined) continue;
    if (before === undefined) added.push(after);
    else moved.push({ id: key, ...movedTo(after) });
  }
  await insertCalls(trx, tableOf, added);
  await updateCalls(trx, tableOf, moved);
  await addUsage(trx, tableOf, changes);
  await writeTerms(trx, tableOf, changes);
}

type Moved = ReturnType<typeof movedTo> & { readonly id: string };

function movedTo({ revision, progress }: CallRow) {
  const { status, endedAt } = progress;
  return { r: revision, s: status, e: endedAt === null ? null : status, p: progress };
}

async function insertCalls(trx: ReadTransaction, tableOf: TableOf, rows: readonly CallRow[]): Promise<void> {
  if (rows.length === 0) return;
  const added = rows.flatMap((row) =>
    row.request === null ? [] : [{ ...indexed(row.request), ...movedTo(row), q: row.request }],
  );
  await sql`insert into ${tableOf("calls")} as old
      (id, owner, revision, status, ended_as, campaign_id, to_number, created_at, request, progress)
    select id, owner, r, s, e, campaign, number, created, q, p from json_to_recordset(${JSON.stringify(added)}) as new
      (id text, owner text, r integer, s text, e text, campaign text, number text, created text, q json, p json)
    on conflict (id) do update
      set revision = excluded.revision, status = excluded.status, ended_as = excluded.ended_as,
        progress = excluded.progress
      where old.revision < excluded.revision`.execute(trx);
}

function indexed({ id, owner, campaignId, to, createdAt }: CallRequest) {
  return { id, owner, campaign: campaignId, number: to, created: createdAt };
}

async function updateCalls(trx: ReadTransaction, tableOf: TableOf, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return;
  await sql`update ${tableOf("calls")} as old set revision = new.r, status = new.s, ended_as = new.e, progress = new.p
    from json_to_recordset(${JSON.stringify(moved)}) as new (id text, r integer, s text, e text, p json)
    where old.id = new.id and old.revision < new.r`.execute(trx);
}

async function eraseWords(
  trx: ReadTransaction,
  tableOf: TableOf,
  events: readonly RecordedEvent[],
): Promise<void> {
  const ids = events.flatMap(({ event }) => (event.type === "CallContentErased" ? [event.data.callId] : []));
  if (ids.length === 0) return;
  await eraseMessages(trx, tableOf, ids);
  await eraseOutcomes(trx, tableOf, ids);
  const { rows } = await sql<Pick<CallsTable, "id" | "request">>`
    select id, request from ${tableOf("calls")} where id = any(${ids}::text[])`.execute(trx);
  const changed = rows.map(({ id, request }) => ({ id, q: wordless(request) }));
  await sql`update ${tableOf("calls")} as old set request = new.q
    from json_to_recordset(${JSON.stringify(changed)}) as new (id text, q json) where old.id = new.id`.execute(
    trx,
  );
}
