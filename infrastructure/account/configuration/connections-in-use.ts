import { type Kysely, sql } from "kysely";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import type { ConfigurationTables } from "./tables.ts";

/**
 * Tools and phone numbers that use the connection, and assistants that use it in their draft
 * or published version.
 */
export async function usersOfConnection(
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
