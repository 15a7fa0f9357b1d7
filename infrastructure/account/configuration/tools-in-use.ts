import { type Kysely, sql } from "kysely";
import type { AssistantId, OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import type { ConfigurationTables } from "./tables.ts";

/** Assistants that have the tool in their draft or published version. */
export async function assistantsWithTool(
  db: Kysely<ConfigurationTables>,
  owner: OwnerId,
  id: ToolId,
): Promise<readonly AssistantId[]> {
  const rows = await db
    .selectFrom("config.assistants as a")
    .leftJoin("config.assistant_versions as v", (join) =>
      join.onRef("v.assistant_id", "=", "a.id").onRef("v.version", "=", "a.published_version"),
    )
    .select("a.id")
    .where("a.owner_id", "=", owner)
    .where((where) =>
      where.or([sql<boolean>`${id} = any(a.tool_ids)`, sql<boolean>`${id} = any(v.tool_ids)`]),
    )
    .orderBy("a.id")
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Those of `toolIds` that the owner does not have. The others stay locked in the transaction, so that none is
 * deleted before the assistant that names it is stored.
 */
export async function missingTools(
  transaction: Kysely<ConfigurationTables>,
  owner: OwnerId,
  toolIds: readonly ToolId[],
): Promise<readonly ToolId[]> {
  if (toolIds.length === 0) return [];
  const rows = await transaction
    .selectFrom("config.tools")
    .select("id")
    .where("owner_id", "=", owner)
    .where("id", "in", [...toolIds])
    .orderBy("id")
    .forShare()
    .execute();
  const found = new Set(rows.map((row) => row.id));
  return toolIds.filter((id) => !found.has(id));
}
