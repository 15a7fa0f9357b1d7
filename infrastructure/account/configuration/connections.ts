import { type Kysely, sql } from "kysely";
import type { Connections } from "../../../application/ports/configuration/connections.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { changeConnection, rowOf } from "./change-connection.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { INSTALLATION_PREFIX, installationConnections } from "./installation-connections.ts";
import { judgeConnection } from "./judge-connection.ts";
import { pageOf } from "./page.ts";
import { columnsOf, openDetails, recordOf } from "./stored-connection.ts";
import type { ConfigurationTables } from "./tables.ts";

export function connections(deps: ConfigurationDeps): Connections {
  const { db, clock, secretBox, changes } = deps;
  const installation = installationConnections(deps.installation);
  return {
    create: async (owner, id, draft) => {
      const refused = await judgeConnection(deps.egress, draft);
      if (refused !== null) return { saved: false, ...refused };
      const now = dateNow(clock);
      const place = { owner_id: owner, id };
      const columns = { ...place, kind: draft.kind, ...columnsOf(secretBox, place, draft) };
      const made = await db
        .insertInto("config.connections")
        .values({ ...columns, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returningAll()
        .executeTakeFirst();
      const row = made ?? (await rowOf(db, owner, id).executeTakeFirstOrThrow());
      return { saved: true, value: { created: made !== undefined, value: recordOf(row) } };
    },
    get: async (owner, id) => {
      const own = installation.get(id);
      if (own !== null) return own;
      const row = await rowOf(db, owner, id).executeTakeFirst();
      return row === undefined ? null : recordOf(row);
    },
    list: async (owner, { limit, after }) => {
      const rows = await db
        .selectFrom("config.connections")
        .selectAll()
        .where("owner_id", "=", owner)
        .$if(after !== null, (query) => query.where("id", "<", after))
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      // Their ids sort after all others, so they come first among the newest.
      const own = after === null ? installation.all : [];
      return pageOf([...own, ...rows.map(recordOf)], limit, ({ id }) => id);
    },
    change: async (owner, id, wanted) => {
      if (installation.get(id) !== null) return { saved: false, reason: "default" };
      const saved = await changeConnection(deps, owner, id, wanted);
      changes.changed(owner);
      return saved;
    },
    delete: async (owner, id) => {
      if (installation.get(id) !== null) return { saved: false, reason: "default" };
      const gone = await db.transaction().execute(async (transaction) => {
        const row = await rowOf(transaction, owner, id).forUpdate().executeTakeFirst();
        if (row === undefined) return { saved: false, reason: "not_found" } as const;
        const usedBy = await usersOfConnection(transaction, owner, id);
        if (usedBy.length > 0) return { saved: false, reason: "in_use", usedBy } as const;
        await transaction.deleteFrom("config.connections").where("id", "=", id).execute();
        return { saved: true, value: null } as const;
      });
      changes.changed(owner);
      return gone;
    },
    open: async (owner, id) => {
      if (id.startsWith(INSTALLATION_PREFIX)) return installation.open(id);
      const row = await rowOf(db, owner, id).executeTakeFirst();
      return row === undefined ? null : { ...openDetails(secretBox, row), default: false };
    },
  };
}

/**
 * Tools and phone numbers that use the connection, and assistants that use it in their draft
 * or published version.
 */
async function usersOfConnection(
  db: Kysely<ConfigurationTables>,
  owner: OwnerId,
  id: ConnectionId,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from config.assistants a
      left join config.assistant_versions v on v.assistant_id = a.id and v.version = a.published_version
      where a.owner_id = ${owner}
        and (to_jsonb(a) ->> 'model_connection_id' = ${id} or to_jsonb(v) ->> 'model_connection_id' = ${id})
    union all
    select id from config.tools where owner_id = ${owner} and config ->> 'connectionId' = ${id}
    union all
    select n.id from config.phone_numbers n where n.owner_id = ${owner} and to_jsonb(n) ->> 'connection_id' = ${id}
    order by 1`.execute(db);
  return rows.map((row) => row.id);
}
