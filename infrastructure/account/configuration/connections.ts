import { type Kysely, sql } from "kysely";
import { type Connections, isInstallations } from "../../../application/ports/configuration/connections.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { changeConnection } from "./change-connection.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { installationConnections } from "./installation-connections.ts";
import { judgeConnection } from "./judge-connection.ts";
import { pageOf } from "./page.ts";
import { columnsOf, openDetails, storedConnections } from "./stored-connection.ts";
import type { ConfigurationTables } from "./tables.ts";

export function connections(deps: ConfigurationDeps): Connections {
  const { db, clock, secretBox, changes } = deps;
  const stored = storedConnections(db);
  const installation = installationConnections(deps.installation);
  return {
    create: async (owner, id, draft) => {
      const refused = await judgeConnection(deps.egress, draft);
      if (refused !== null) return { saved: false, ...refused };
      const now = dateNow(clock);
      const columns = { kind: draft.kind, ...columnsOf(secretBox, { owner_id: owner, id }, draft) };
      return {
        saved: true,
        value: await stored.insert(owner, id, { ...columns, created_at: now, updated_at: now }),
      };
    },
    get: async (owner, id) => installation.get(id) ?? (await stored.get(owner, id)),
    list: async (owner, page) => {
      const { rows, next } = await stored.list(owner, page);
      if (page.after !== null) return { rows, next };
      // Their ids sort after all others, so they come first among the newest.
      const first = pageOf([...installation.all, ...rows], page.limit, ({ id }) => id);
      return { rows: first.rows, next: first.next ?? next };
    },
    change: async (owner, id, wanted) => {
      if (installation.get(id) !== null) return { saved: false, reason: "default" };
      const saved = await changeConnection(deps, owner, id, wanted);
      changes.changed(owner);
      return saved;
    },
    delete: async (owner, id) => {
      if (installation.get(id) !== null) return { saved: false, reason: "default" };
      const deletion = await stored.locked(owner, id, async (_row, transaction) => {
        const usedBy = await usersOfConnection(transaction, owner, id);
        if (usedBy.length > 0) return { saved: false, reason: "in_use", usedBy } as const;
        await storedConnections(transaction).delete(owner, id);
        return { saved: true, value: null } as const;
      });
      changes.changed(owner);
      return deletion ?? { saved: false, reason: "not_found" };
    },
    open: async (owner, id) => {
      if (isInstallations(id)) return installation.open(id);
      const row = await stored.row(owner, id);
      return row === null ? null : { ...openDetails(secretBox, row), default: false };
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
