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
import { columnsOf, openDetails, parseDetails, storedConnections } from "./stored-connection.ts";

type Deps = Pick<ConfigurationDeps, "db" | "clock" | "secretBox" | "egress">;

/**
 * Checked before the row is locked, because a name server may be slow. An address made by two concurrent
 * changes is checked at the next connect.
 */
export async function changeConnection(
  { db, clock, secretBox, egress }: Deps,
  owner: OwnerId,
  id: ConnectionId,
  changes: ConnectionChanges,
): Promise<Saved<ConnectionRecord, ConnectionNotFound | AddressRefused>> {
  const before = await storedConnections(db).row(owner, id);
  if (before === null) return { saved: false, reason: "not_found" };
  const after = merged(openDetails(secretBox, before), changes);
  const refused = changes.settings === undefined ? null : await judgeConnection(egress, after);
  if (refused !== null) return { saved: false, ...refused };
  const value = await storedConnections(db).locked(owner, id, async (row, transaction) => {
    const draft: ConnectionDraft = {
      ...merged(openDetails(secretBox, row), changes),
      name: changes.name ?? row.name,
    };
    const columns = { ...columnsOf(secretBox, row, draft), updated_at: dateNow(clock) };
    return storedConnections(transaction).update(owner, id, columns);
  });
  return value === null ? { saved: false, reason: "not_found" } : { saved: true, value };
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
