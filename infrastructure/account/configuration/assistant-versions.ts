import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import type { AssistantRecord, AssistantVersionRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { columnsOf, draftOf } from "./assistant-columns.ts";
import { assistantRecord, assistantRow, changingAssistant, updateAssistant } from "./assistant-rows.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { mapPage, pageOf } from "./page.ts";

export function publishAssistant(
  deps: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
): Promise<AssistantRecord | null> {
  return changingAssistant(deps, owner, id, async (transaction, row) => {
    const version = row.versions + 1;
    await transaction
      .insertInto("config.assistant_versions")
      .values({ assistant_id: id, version, ...columnsOf(draftOf(row)), published_at: dateNow(deps.clock) })
      .execute();
    return updateAssistant(transaction, deps.clock, id, { versions: version, published_version: version });
  });
}

export function unpublishAssistant(
  deps: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
): Promise<AssistantRecord | null> {
  return changingAssistant(deps, owner, id, (transaction, row) =>
    row.published_version === null
      ? Promise.resolve(assistantRecord(row))
      : updateAssistant(transaction, deps.clock, id, { published_version: null }),
  );
}

export async function assistantVersions(
  { db }: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
  { limit, after }: PageRequest<number>,
): Promise<Page<AssistantVersionRecord, number> | null> {
  if ((await assistantRow(db, owner, id).executeTakeFirst()) === undefined) return null;
  const rows = await db
    .selectFrom("config.assistant_versions")
    .selectAll()
    .where("assistant_id", "=", id)
    .$if(after !== null, (query) => query.where("version", "<", after))
    .orderBy("version", "desc")
    .limit(limit + 1)
    .execute();
  return mapPage(
    pageOf(rows, limit, ({ version }) => version),
    (row) => ({
      ...draftOf(row),
      assistantId: row.assistant_id,
      version: row.version,
      publishedAt: instantOfDate(row.published_at),
    }),
  );
}
