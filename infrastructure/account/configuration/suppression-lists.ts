import { type Kysely, type Selectable, sql } from "kysely";
import {
  DEFAULT_LIST,
  MAX_SUPPRESSION_LISTS,
  type SuppressionListRecords,
} from "../../../application/ports/configuration/suppression-lists.ts";
import type { SuppressionListRecord } from "../../../contract/suppression-list.ts";
import type { OwnerId, SuppressionListId } from "../../../domain/shared/ids.ts";
import type { SuppressionListEvent } from "../../../domain/suppression/events.ts";
import { ON_LISTS } from "../listed-numbers.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { readPage } from "./owners-records.ts";
import type { ConfigurationTables, SuppressionListsTable } from "./tables.ts";

type Db = Kysely<ConfigurationTables>;
type ListRow = Selectable<SuppressionListsTable>;
type Deps = Pick<ConfigurationDeps, "db" | "changes" | "clock" | "ids">;
type Drawn = Pick<ConfigurationDeps, "clock" | "ids">;

const DEFAULT_NAME = "Do-not-call list";

export function suppressionLists(deps: Deps): SuppressionListRecords {
  return {
    create: (owner, id, draft, by) => told(deps, owner, (trx) => create(deps, trx, [owner, id, draft, by])),
    get: (owner, id) => get(deps.db, owner, id),
    list: (owner, page) => readPage(deps.db, rowsOf(owner), ["id", "desc"], page, recordOf),
    holding: (owner, phoneNumber) => holding(deps.db, owner, phoneNumber),
    change: (owner, id, changes, by) =>
      told(deps, owner, (trx) => change(deps, trx, [owner, id, changes, by])),
    delete: (owner, id, by) => told(deps, owner, (trx) => remove(deps, trx, [owner, id, by])),
  };
}

/** In one transaction; after its commit those who dial, and those who tell the log, hear of it. */
async function told<Answer>(
  { db, changes }: Deps,
  owner: OwnerId,
  work: (trx: Db) => Promise<Answer>,
): Promise<Answer> {
  const answer = await db.transaction().execute(work);
  changes.changed(owner);
  return answer;
}

async function create(
  deps: Drawn,
  trx: Db,
  ...[[owner, id, draft, by]]: [Parameters<SuppressionListRecords["create"]>]
): ReturnType<SuppressionListRecords["create"]> {
  // Two requests of an owner do not pass the limit together.
  await sql`select 1 from config.users where id = ${owner} for no key update`.execute(trx);
  const known = await get(trx, owner, id);
  if (known !== null) return { created: false, value: known };
  const { rows } = await sql<{ readonly lists: number }>`
    select count(*)::integer as lists from config.suppression_lists
    where owner_id = ${owner} and deleted_at is null`.execute(trx);
  if ((rows[0]?.lists ?? 0) >= MAX_SUPPRESSION_LISTS) return null;
  const now = new Date(deps.clock.nowMillis());
  const made = await trx
    .insertInto("config.suppression_lists")
    .values({ id, owner_id: owner, ...draft, created_at: now, updated_at: now, changed_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  await note(deps, trx, by, changedEvent(made));
  return { created: true, value: recordOf(made) };
}

async function get(db: Db, owner: OwnerId, id: SuppressionListId): Promise<SuppressionListRecord | null> {
  const { rows } = await sql<ListRow>`select * from (${rowsOf(owner)}) as lists where id = ${id}`.execute(db);
  return rows[0] === undefined ? null : recordOf(rows[0]);
}

async function holding(
  db: Db,
  ...[owner, phoneNumber]: Parameters<SuppressionListRecords["holding"]>
): ReturnType<SuppressionListRecords["holding"]> {
  const { rows } = await sql<Pick<ListRow, "id" | "name" | "kind" | "as_of">>`
    select * from (
      select ${DEFAULT_LIST} as id, ${DEFAULT_NAME} as name, 'own' as kind, null::timestamptz as as_of
      from config.suppressions where owner_id = ${owner} and phone_number = ${phoneNumber}
    ) as own
    union all
    select * from (
      with asked as (select ${owner}::text as owner_id, ${phoneNumber}::text as phone_number)
      select l.id, l.name, l.kind, l.as_of from ${sql.raw(ON_LISTS)} order by l.id
    ) as others`.execute(db);
  return rows.map(({ id, name, kind, as_of }) => ({ id, name, kind, asOf: asOfOf(as_of) }));
}

async function change(
  deps: Drawn,
  trx: Db,
  ...[[owner, id, changes, by]]: [Parameters<SuppressionListRecords["change"]>]
): ReturnType<SuppressionListRecords["change"]> {
  if (id === DEFAULT_LIST) return { saved: false, reason: "default" };
  const list = await locked(trx, owner, id);
  if (list === null) return { saved: false, reason: "not_found" };
  const { kind, name = list.name, active = list.active } = changes;
  if (kind !== undefined && kind !== list.kind) return { saved: false, reason: "kind" };
  if (name === list.name && active === list.active) return { saved: true, value: recordOf(list) };
  const changed = await update(deps, trx, list, { name, active });
  await note(deps, trx, by, changedEvent(changed));
  return { saved: true, value: recordOf(changed) };
}

/** Its numbers are removed later, as those of every version that no list has loaded. */
async function remove(
  deps: Drawn,
  trx: Db,
  ...[[owner, id, by]]: [Parameters<SuppressionListRecords["delete"]>]
): ReturnType<SuppressionListRecords["delete"]> {
  if (id === DEFAULT_LIST) return { saved: false, reason: "default" };
  const list = await locked(trx, owner, id);
  if (list === null) return { saved: false, reason: "not_found" };
  const deleted_at = nextMoment(deps, list);
  const gone = await update(deps, trx, list, { active: false, loaded: null, is_behind: false, deleted_at });
  await note(deps, trx, by, changedEvent(gone));
  return { saved: true, value: null };
}

export type ReplacedNumbers = {
  readonly listId: SuppressionListId;
  readonly owner: OwnerId;
  readonly count: number;
  /** Of the file's bytes, hexadecimal. */
  readonly sha256: string;
  readonly asOf: Date;
  /** Of the numbers: these count from the commit on. */
  readonly version: number;
  /** Id of the API key. */
  readonly by: string;
};

/**
 * Other numbers of the list count from the commit of the transaction on, and its event follows. False: the
 * list is gone. Call `changes.changed(owner)` after the commit.
 */
export async function recordReplaced(
  deps: Drawn,
  trx: Db,
  { listId, owner, count, sha256, asOf, version, by }: ReplacedNumbers,
): Promise<boolean> {
  const list = await locked(trx, owner, listId);
  if (list === null) return false;
  const loaded = { count, sha256, as_of: asOf, loaded: version, is_behind: false };
  const { name, kind, changed_at } = await update(deps, trx, list, {
    ...loaded,
    replaced_at: nextMoment(deps, list),
  });
  const at = instantOfDate(changed_at);
  const data = { owner, listId, name, kind, count, sha256, asOf: instantOfDate(asOf), at };
  await note(deps, trx, by, { type: "SuppressionListReplaced", data });
  return true;
}

/** The list, which nobody else changes until the transaction ends. */
async function locked(trx: Db, owner: OwnerId, id: SuppressionListId): Promise<ListRow | null> {
  const { rows } = await sql<ListRow>`
    select * from config.suppression_lists
    where owner_id = ${owner} and id = ${id} and deleted_at is null for update`.execute(trx);
  return rows[0] ?? null;
}

/** Later than the latest change, whatever the clock says. */
function nextMoment({ clock }: Drawn, { changed_at }: ListRow): Date {
  return new Date(Math.max(clock.nowMillis(), changed_at.getTime() + 1));
}

function update(
  deps: Drawn,
  trx: Db,
  list: ListRow,
  columns: Partial<Omit<ListRow, "id" | "sequence" | "loaded">> & { readonly loaded?: number | null },
): Promise<ListRow> {
  const at = nextMoment(deps, list);
  return trx
    .updateTable("config.suppression_lists")
    .set({ ...columns, updated_at: at, changed_at: at })
    .where("id", "=", list.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The event goes into the log after the commit (`publishSuppressionLists`). */
async function note(
  { ids }: Pick<Drawn, "ids">,
  trx: Db,
  actor: string,
  event: SuppressionListEvent,
): Promise<void> {
  const { listId, owner } = event.data;
  await sql`
    insert into config.suppression_list_changes (event_id, list_id, owner_id, actor, event)
    values (${ids.uuid()}, ${listId}, ${owner}, ${actor}, ${JSON.stringify(event)})`.execute(trx);
}

function changedEvent({
  id: listId,
  owner_id: owner,
  name,
  kind,
  active,
  changed_at,
  deleted_at,
}: ListRow): SuppressionListEvent {
  const at = instantOfDate(changed_at);
  return {
    type: "SuppressionListChanged",
    data: { owner, listId, name, kind, active, deleted: deleted_at !== null, at },
  };
}

/** With the do-not-call list as one of them, which changed last when its newest number came. */
function rowsOf(owner: OwnerId) {
  return sql<ListRow>`
    select * from config.suppression_lists where owner_id = ${owner} and deleted_at is null
    union all
    select ${DEFAULT_LIST}, id, ${DEFAULT_NAME}, 'own', true,
      (select count(*)::integer from config.suppressions where owner_id = ${owner}), null, null, null,
      created_at, coalesce(newest.at, created_at), 0, created_at, null, false, null
    from config.users left join lateral (
      select created_at as at from config.suppressions where owner_id = ${owner} order by sequence desc limit 1
    ) newest on true
    where id = ${owner}`;
}

const asOfOf = (date: Date | null) => (date === null ? null : instantOfDate(date));

function recordOf(row: ListRow): SuppressionListRecord {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    active: row.active,
    count: row.count,
    asOf: asOfOf(row.as_of),
    sha256: row.sha256,
    behind: row.is_behind,
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}
