import { type Kysely, sql } from "kysely";
import type { ListChange, SuppressionLists } from "../../application/ports/suppression-lists.ts";
import type { ListStanding } from "../../domain/policy/list-age.ts";
import type { Of } from "../../domain/shared/decider.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { SuppressionListEvent } from "../../domain/suppression/events.ts";
import { instantOfDate } from "./configuration/instant-of-date.ts";
import type { ConfigurationTables } from "./configuration/tables.ts";
import { createOwnerCache } from "./owner-cache.ts";
import type { OwnerChanges } from "./owner-changes.ts";

type Db = Kysely<ConfigurationTables>;

/** Over `config.suppression_lists`; what the settings change is written in their own folder. */
export function createPostgresSuppressionLists(db: Db, changes: OwnerChanges): SuppressionLists {
  const cache = createOwnerCache(changes);
  return {
    standing: (owner) => cache.get(owner, "lists", () => standing(db, owner)),
    onChange: changes.onChange,
    unpublished: (limit) => unpublished(db, limit),
    published: async ({ sequence }) => {
      await sql`delete from config.suppression_list_changes where sequence = ${sequence}`.execute(db);
    },
    follow: async (event) => {
      if (await follow(db, event)) changes.changed(event.data.owner);
    },
  };
}

async function standing(db: Db, owner: OwnerId): Promise<ListStanding> {
  const { rows } = await sql<{
    readonly oldest: Date | null;
    readonly is_behind: boolean;
  }>`
    select case when bool_and(as_of is not null) filter (where kind = 'registry')
        then min(as_of) filter (where kind = 'registry') end as oldest,
      coalesce(bool_or(is_behind), false) as is_behind
    from config.suppression_lists where owner_id = ${owner} and active`.execute(db);
  const { oldest = null, is_behind: isBehind = false } = rows[0] ?? {};
  return { oldestAsOf: oldest === null ? null : instantOfDate(oldest), isBehind };
}

async function unpublished(db: Db, limit: number): Promise<readonly ListChange[]> {
  const { rows } = await sql<{
    readonly sequence: string;
    readonly event_id: string;
    readonly actor: string;
    readonly event: SuppressionListEvent;
  }>`
    select sequence, event_id, actor, event from config.suppression_list_changes
    order by sequence limit ${limit}`.execute(db);
  return rows.map(({ sequence, event_id: eventId, actor, event }) => ({
    sequence: Number(sequence),
    eventId,
    actor,
    event,
  }));
}

/** True: the log was newer. */
async function follow(db: Db, event: SuppressionListEvent): Promise<boolean> {
  const changed =
    event.type === "SuppressionListReplaced" ? followReplaced(db, event.data) : followChanged(db, event.data);
  return ((await changed).numAffectedRows ?? 0n) > 0n;
}

function followChanged(
  db: Db,
  {
    listId,
    owner,
    name,
    kind,
    active,
    deleted,
    at,
  }: Of<SuppressionListEvent, "SuppressionListChanged">["data"],
) {
  const deletedAt = deleted ? at : null;
  return sql`
    insert into config.suppression_lists as list
      (id, owner_id, name, kind, active, created_at, updated_at, changed_at, deleted_at)
    values (${listId}, ${owner}, ${name}, ${kind}, ${active}, ${at}, ${at}, ${at}, ${deletedAt})
    on conflict (id) do update set
      name = excluded.name, active = excluded.active, updated_at = excluded.updated_at,
      changed_at = excluded.changed_at, deleted_at = excluded.deleted_at,
      loaded = case when excluded.deleted_at is null then list.loaded end,
      is_behind = list.is_behind and excluded.deleted_at is null
    where list.changed_at < excluded.changed_at and list.deleted_at is null`.execute(db);
}

/** Later settings than the event's stay; its numbers are not here, whatever else was changed since. */
function followReplaced(db: Db, { listId, at }: Of<SuppressionListEvent, "SuppressionListReplaced">["data"]) {
  return sql`
    update config.suppression_lists set is_behind = true, changed_at = greatest(changed_at, ${at})
    where id = ${listId} and deleted_at is null and not is_behind
      and (replaced_at is null or replaced_at < ${at})`.execute(db);
}
