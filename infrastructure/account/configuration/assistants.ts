import type { AssistantDraft, Assistants } from "../../../application/ports/configuration/assistants.ts";
import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import type { AssistantRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { columnsOf, draftOf } from "./assistant-columns.ts";
import { assistantRecord, assistantRow, changingAssistant, updateAssistant } from "./assistant-rows.ts";
import { assistantVersions, publishAssistant, unpublishAssistant } from "./assistant-versions.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { mapPage, pageOf } from "./page.ts";
import { missingTools } from "./tools-in-use.ts";

export function assistants(deps: ConfigurationDeps): Assistants {
  return {
    create: (owner, id, draft) => createAssistant(deps, owner, id, draft),
    get: async (owner, id) => {
      const row = await assistantRow(deps.db, owner, id).executeTakeFirst();
      return row === undefined ? null : assistantRecord(row);
    },
    list: (owner, page) => listAssistants(deps, owner, page),
    change: (owner, id, drafted) => changeAssistant(deps, owner, id, drafted),
    publish: (owner, id) => publishAssistant(deps, owner, id),
    unpublish: (owner, id) => unpublishAssistant(deps, owner, id),
    versions: (owner, id, page) => assistantVersions(deps, owner, id, page),
    delete: (owner, id) => deleteAssistant(deps, owner, id),
  };
}

function createAssistant(
  { db, clock }: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
  draft: AssistantDraft,
): ReturnType<Assistants["create"]> {
  return db.transaction().execute(async (transaction) => {
    const standing = await assistantRow(transaction, owner, id).executeTakeFirst();
    if (standing !== undefined)
      return { saved: true, value: { created: false, value: assistantRecord(standing) } };
    const toolIds = await missingTools(transaction, owner, draft.toolIds);
    if (toolIds.length > 0) return { saved: false, reason: "tools_not_found", toolIds };
    const now = dateNow(clock);
    const times = { published_version: null, created_at: now, updated_at: now };
    const row = await transaction
      .insertInto("config.assistants")
      .values({ id, owner_id: owner, ...columnsOf(draft), ...times })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { saved: true, value: { created: true, value: assistantRecord(row) } };
  });
}

async function listAssistants(
  { db }: ConfigurationDeps,
  owner: OwnerId,
  { limit, after }: PageRequest<AssistantId>,
): Promise<Page<AssistantRecord, AssistantId>> {
  const rows = await db
    .selectFrom("config.assistants")
    .selectAll()
    .where("owner_id", "=", owner)
    .$if(after !== null, (query) => query.where("id", "<", after))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  return mapPage(
    pageOf(rows, limit, (row) => row.id),
    assistantRecord,
  );
}

async function changeAssistant(
  deps: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
  drafted: Partial<AssistantDraft>,
): ReturnType<Assistants["change"]> {
  const answer = await changingAssistant(deps, owner, id, async (transaction, row) => {
    const draft = { ...draftOf(row), ...drafted };
    const toolIds = await missingTools(transaction, owner, drafted.toolIds ?? []);
    if (toolIds.length > 0) return { saved: false, reason: "tools_not_found", toolIds } as const;
    const value = await updateAssistant(transaction, deps.clock, id, columnsOf(draft));
    return { saved: true, value } as const;
  });
  return answer ?? { saved: false, reason: "not_found" };
}

async function deleteAssistant(
  { db, changes }: ConfigurationDeps,
  owner: OwnerId,
  id: AssistantId,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("config.assistants")
    .where("owner_id", "=", owner)
    .where("id", "=", id)
    .executeTakeFirst();
  changes.changed(owner);
  return numDeletedRows > 0n;
}
