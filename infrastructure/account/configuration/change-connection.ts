import type { Kysely } from "kysely";
import type {
  AddressRefused,
  ConnectionChanges,
  ConnectionDetails,
  ConnectionDraft,
  ConnectionNotFound,
} from "../../../application/ports/configuration/connections.ts";
import type { Saved } from "../../../application/ports/configuration/saved.ts";
import type { ConnectionRecord } from "../../../contract/connection.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { judgeConnection } from "./judge-connection.ts";
import { columnsOf, openDetails, parseDetails, recordOf } from "./stored-connection.ts";
import type { ConfigurationTables } from "./tables.ts";

type Deps = Pick<ConfigurationDeps, "db" | "clock" | "secretBox" | "connectionWays">;

/**
 * Checked before the row is locked, because a name server may be slow. An address made by two concurrent
 * changes is checked at the next connect.
 */
export async function changeConnection(
  { db, clock, secretBox, connectionWays }: Deps,
  owner: OwnerId,
  id: ConnectionId,
  changes: ConnectionChanges,
): Promise<Saved<ConnectionRecord, ConnectionNotFound | AddressRefused>> {
  const before = await rowOf(db, owner, id).executeTakeFirst();
  if (before === undefined) return { saved: false, reason: "not_found" };
  const after = merged(openDetails(secretBox, before), changes);
  const refused = changes.settings === undefined ? null : await judgeConnection(connectionWays, after);
  if (refused !== null) return { saved: false, ...refused };
  return db.transaction().execute(async (transaction) => {
    const row = await rowOf(transaction, owner, id).forUpdate().executeTakeFirst();
    if (row === undefined) return { saved: false, reason: "not_found" };
    const draft: ConnectionDraft = {
      ...merged(openDetails(secretBox, row), changes),
      name: changes.name ?? row.name,
    };
    const changed = await transaction
      .updateTable("config.connections")
      .set({ ...columnsOf(secretBox, row, draft), updated_at: dateNow(clock) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { saved: true, value: recordOf(changed) };
  });
}

export function rowOf(db: Kysely<ConfigurationTables>, owner: OwnerId, id: ConnectionId) {
  return db.selectFrom("config.connections").selectAll().where("owner_id", "=", owner).where("id", "=", id);
}

function merged(
  { kind, settings, secrets }: ConnectionDetails,
  changes: ConnectionChanges,
): ConnectionDetails {
  return parseDetails({
    kind,
    settings: { ...settings, ...changes.settings },
    secrets: { ...secrets, ...changes.secrets },
  });
}
