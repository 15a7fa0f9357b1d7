import { sql } from "kysely";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { Queries } from "../../application/ports/queries.ts";
import type { SquadRecord } from "../../contract/squad.ts";
import { SQUAD_TYPES } from "../../domain/event-kinds.ts";
import type { AssistantId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import { pageOf } from "../engine/keyset-page.ts";
import type { Projection, ReadDatabase, ReadTransaction, TableOf } from "../engine/projection.ts";
import { rowsAt, type Snapshot, served } from "../engine/read-snapshot.ts";
import { createRowWriter, type RowChange } from "../engine/row-writer.ts";
import { projectSquad, type SquadRow } from "./squad-row.ts";

export type SquadsTable = {
  readonly id: SquadId;
  readonly owner: OwnerId;
  readonly revision: number;
  readonly assistant_ids: readonly AssistantId[];
  readonly squad: SquadRecord;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.squads_v1": SquadsTable;
  }
}

export const squadsProjection: Projection = {
  name: "squads",
  version: 1,
  types: SQUAD_TYPES,
  tables: ["squads"],
  createTables,
  createIndexes,
  openWriter: (tableOf) =>
    createRowWriter<SquadRow>({
      keyOf: ({ event }) =>
        "squadId" in event.data && SQUAD_TYPES.has(event.type) ? event.data.squadId : null,
      project: projectSquad,
      load: (trx, keys) => loadSquads(trx, tableOf, keys),
      save: (trx, changes) => saveSquads(trx, tableOf, changes),
      remembered: 50,
    }),
};

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  const squads = tableOf("squads");
  await sql`create table ${squads} (
    id text collate "C" primary key,
    owner text not null,
    revision integer not null,
    assistant_ids text[] not null,
    squad json not null
  )`.execute(trx);
}

async function createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  const squads = tableOf("squads");
  await sql`create index on ${squads} (owner, id)`.execute(trx);
  await sql`create index on ${squads} using gin (assistant_ids)`.execute(trx);
}

async function loadSquads(
  trx: ReadTransaction,
  tableOf: TableOf,
  ids: readonly string[],
): Promise<Map<string, SquadRow>> {
  const { rows } = await sql<Pick<SquadsTable, "id" | "revision" | "squad">>`
    select id, revision, squad from ${tableOf("squads")} where id = any(${ids}::text[])`.execute(trx);
  return new Map(rows.map(({ id, revision, squad }) => [id, { revision, squad }]));
}

async function saveSquads(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly RowChange<SquadRow>[],
): Promise<void> {
  const deletedIds = changes.filter(({ after }) => after === undefined).map(({ key }) => key);
  if (deletedIds.length > 0)
    await sql`delete from ${tableOf("squads")} where id = any(${deletedIds}::text[])`.execute(trx);
  const rows = changes.flatMap(({ after }) => (after === undefined ? [] : [tableRow(after)]));
  if (rows.length === 0) return;
  await sql`insert into ${tableOf("squads")} as old (id, owner, revision, assistant_ids, squad)
    select id, owner, revision, assistant_ids, squad from json_to_recordset(${JSON.stringify(rows)}) as new
      (id text, owner text, revision integer, assistant_ids text[], squad json)
    on conflict (id) do update
      set revision = excluded.revision, assistant_ids = excluded.assistant_ids, squad = excluded.squad
      where old.revision < excluded.revision`.execute(trx);
}

function tableRow({ revision, squad }: SquadRow): SquadsTable {
  return {
    id: squad.id,
    owner: squad.userId,
    revision,
    assistant_ids: squad.members.map(({ assistantId }) => assistantId),
    squad,
  };
}

async function findSquad(db: ReadDatabase, owner: OwnerId, id: SquadId): Promise<SquadRecord | null> {
  const row = await db
    .selectFrom("read.squads_v1")
    .select("squad")
    .where("id", "=", id)
    .where("owner", "=", owner)
    .executeTakeFirst();
  return row?.squad ?? null;
}

/** A squad may have 256 KiB, older ones megabytes: a page ends behind so much, whatever was asked for. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** Newest first by id. */
function listedSquads(owner: OwnerId, { limit, after }: PageRequest<SquadId>) {
  const behind = after === null ? sql`` : sql`and id < ${after}`;
  return sql<{ readonly squad: SquadRecord; readonly found: number }>`(
    select squad, found from (
      select id, squad, count(*) over ()::integer as found,
        sum(bytes) over (order by id desc) - bytes as before
      from (
        select id, squad, octet_length(squad::text) as bytes from ${sql.table("read.squads_v1")}
        where owner = ${owner} ${behind} order by id desc limit ${limit + 1}
      ) as asked
    ) as page
    where before < ${PAGE_BYTES} order by id desc)`;
}

/** The page from the rows that were found; fewer than asked for when squads are large. */
function pageOfSquads(
  rows: readonly { readonly squad: SquadRecord; readonly found: number }[],
  limit: number,
): Page<SquadRecord, SquadId> {
  const squads = rows.map(({ squad }) => squad);
  const last = squads.at(-1);
  const isCut = last !== undefined && squads.length <= limit && squads.length < (rows[0]?.found ?? 0);
  return isCut ? { rows: squads, next: last.id } : pageOf(squads, limit, ({ id }) => id);
}

async function isAssistantInSquad(db: ReadDatabase, owner: OwnerId, id: AssistantId): Promise<boolean> {
  const row = await db
    .selectFrom("read.squads_v1")
    .select("id")
    .where("owner", "=", owner)
    .where(sql<boolean>`assistant_ids @> array[${id}]::text[]`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const SQUADS = [squadsProjection];

export function squadQueries({ db }: { readonly db: ReadDatabase }, snapshot: Snapshot) {
  return {
    squad: served((owner, id, heard) => snapshot(SQUADS, heard, (rows) => findSquad(rows, owner, id))),
    squads: served(async (owner, page, heard) => {
      const { position, rows } = await rowsAt(db, squadsProjection, listedSquads(owner, page));
      heard?.(position);
      return pageOfSquads(rows, page.limit);
    }),
    assistantInSquad: served((owner, id) => isAssistantInSquad(db, owner, id)),
  } satisfies Partial<Queries>;
}
