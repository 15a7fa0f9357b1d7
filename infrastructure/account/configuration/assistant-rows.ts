import type { Kysely, Selectable } from "kysely";
import type { AssistantRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { draftOf } from "./assistant-columns.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { ownersRecords } from "./owners-records.ts";
import type { AssistantsTable, ConfigurationTables } from "./tables.ts";

export type AssistantRow = Selectable<AssistantsTable>;

export const storedAssistants = (db: Kysely<ConfigurationTables>) =>
  ownersRecords(db, "config.assistants", assistantRecord);

/** Every change of an assistant locks its row first; null: unknown. */
export async function changingAssistant<Answer>(
  { db, changes }: Pick<ConfigurationDeps, "db" | "changes">,
  owner: OwnerId,
  id: AssistantId,
  change: (row: AssistantRow, transaction: Kysely<ConfigurationTables>) => Promise<Answer>,
): Promise<Answer | null> {
  const answer = await storedAssistants(db).locked(owner, id, change);
  changes.changed(owner);
  return answer;
}

export function assistantRecord(row: AssistantRow): AssistantRecord {
  return {
    id: row.id,
    ...draftOf(row),
    publishNeedsRehearsal: row.publish_needs_rehearsal,
    publishedVersion: row.published_version,
    versions: row.versions,
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}
