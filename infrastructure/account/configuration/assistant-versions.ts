import { type Kysely, sql } from "kysely";
import type { Assistants } from "../../../application/ports/configuration/assistants.ts";
import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import { draftLine } from "../../../application/rehearsal/freeze-lines.ts";
import type { AssistantRecord, AssistantVersionRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { columnsOf, draftOf } from "./assistant-columns.ts";
import { assistantRecord, changingAssistant, storedAssistants } from "./assistant-rows.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { hashOf, lineDirectory } from "./line-directory.ts";
import { readPage } from "./owners-records.ts";
import type { ConfigurationTables } from "./tables.ts";

export function publishAssistant(
  deps: ConfigurationDeps,
  ...[owner, id, rehearsalId = null]: Parameters<Assistants["publish"]>
): ReturnType<Assistants["publish"]> {
  return changingAssistant(deps, owner, id, async (row, transaction) => {
    if (rehearsalId === null && row.publish_needs_rehearsal)
      return { saved: false, reason: "rehearsal_required" } as const;
    if (rehearsalId !== null && !(await hasPassed(transaction, owner, id, rehearsalId)))
      return { saved: false, reason: "rehearsal_not_passed" } as const;
    const version = row.versions + 1;
    const now = dateNow(deps.clock);
    await transaction
      .insertInto("config.assistant_versions")
      .values({ assistant_id: id, version, ...columnsOf(draftOf(row)), published_at: now })
      .execute();
    const changes = { versions: version, published_version: version, updated_at: now };
    const value = await storedAssistants(transaction).update(owner, id, changes);
    return value === null ? null : ({ saved: true, value } as const);
  });
}

/** Whether it is over, played the draft as this transaction sees it, and every run of that passed. */
async function hasPassed(
  transaction: Kysely<ConfigurationTables>,
  owner: OwnerId,
  id: AssistantId,
  rehearsalId: string,
): Promise<boolean> {
  const draft = await draftLine(lineDirectory(transaction), owner, id);
  if (!draft.ok) return false;
  const { rows } = await sql`
    select from work.rehearsals r
    where owner_id = ${owner} and id = ${rehearsalId} and assistant_id = ${id} and version = 'draft'
      and status = 'done' and draft_hash = ${hashOf(draft.value)}
      and not exists (select from work.rehearsal_runs
        where rehearsal_id = r.id and lane = 'candidate' and status <> 'passed')`.execute(transaction);
  return rows.length === 1;
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
