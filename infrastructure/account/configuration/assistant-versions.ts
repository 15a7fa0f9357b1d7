import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import type { AssistantRecord, AssistantVersionRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { columnsOf, draftOf } from "./assistant-columns.ts";
import { assistantRecord, changingAssistant, storedAssistants } from "./assistant-rows.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { readPage } from "./owners-records.ts";

export function publishAssistant(
  deps: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
): Promise<AssistantRecord | null> {
  return changingAssistant(deps, owner, id, async (row, transaction) => {
    const version = row.versions + 1;
    const now = dateNow(deps.clock);
    await transaction
      .insertInto("config.assistant_versions")
      .values({ assistant_id: id, version, ...columnsOf(draftOf(row)), published_at: now })
      .execute();
    const changes = { versions: version, published_version: version, updated_at: now };
    return storedAssistants(transaction).update(owner, id, changes);
  });
}

export function unpublishAssistant(
  deps: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
): Promise<AssistantRecord | null> {
  return changingAssistant(deps, owner, id, async (row, transaction) => {
    if (row.published_version === null) return assistantRecord(row);
    const changes = { published_version: null, updated_at: dateNow(deps.clock) };
    return storedAssistants(transaction).update(owner, id, changes);
  });
}

export async function assistantVersions(
  { db }: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
  page: PageRequest<number>,
): Promise<Page<AssistantVersionRecord, number> | null> {
  if ((await storedAssistants(db).get(owner, id)) === null) return null;
  const versions = db.selectFrom("config.assistant_versions").selectAll().where("assistant_id", "=", id);
  return readPage(db, versions, ["version", "desc"], page, (row) => ({
    ...draftOf(row),
    assistantId: row.assistant_id,
    version: row.version,
    publishedAt: instantOfDate(row.published_at),
  }));
}
