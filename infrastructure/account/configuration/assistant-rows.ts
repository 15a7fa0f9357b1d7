import type { Kysely, Selectable } from "kysely";
import type { AssistantRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { draftOf } from "./assistant-columns.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import type { AssistantsTable, ConfigurationTables } from "./tables.ts";

export type AssistantRow = Selectable<AssistantsTable>;

export function assistantRow(db: Kysely<ConfigurationTables>, owner: OwnerId, id: AssistantId) {
  return db.selectFrom("config.assistants").selectAll().where("owner_id", "=", owner).where("id", "=", id);
}

/** Every change of an assistant locks its row first; null: unknown. */
export async function changingAssistant<Answer>(
  { db, changes }: Pick<ConfigurationDeps, "db" | "changes">,
  owner: OwnerId,
  id: AssistantId,
  change: (transaction: Kysely<ConfigurationTables>, row: AssistantRow) => Promise<Answer>,
): Promise<Answer | null> {
  const answer = await db.transaction().execute(async (transaction) => {
    const row = await assistantRow(transaction, owner, id).forUpdate().executeTakeFirst();
    return row === undefined ? null : change(transaction, row);
  });
  changes.changed(owner);
  return answer;
}

export async function updateAssistant(
  transaction: Kysely<ConfigurationTables>,
  clock: ConfigurationDeps["clock"],
  id: AssistantId,
  values: Partial<Omit<AssistantRow, "id" | "owner_id">>,
): Promise<AssistantRecord> {
  const row = await transaction
    .updateTable("config.assistants")
    .set({ ...values, updated_at: dateNow(clock) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return assistantRecord(row);
}

export function assistantRecord(row: AssistantRow): AssistantRecord {
  return {
    id: row.id,
    ...draftOf(row),
    publishedVersion: row.published_version,
    versions: row.versions,
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}
