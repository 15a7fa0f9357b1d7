import type { Assistants } from "../../../application/ports/configuration/assistants.ts";
import { columnsOf, draftOf } from "./assistant-columns.ts";
import { changingAssistant, storedAssistants } from "./assistant-rows.ts";
import { assistantVersions, publishAssistant, unpublishAssistant } from "./assistant-versions.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { missingTools } from "./tools-in-use.ts";

export function assistants(deps: ConfigurationDeps): Assistants {
  const { db, changes } = deps;
  const stored = storedAssistants(db);
  return {
    create: (...asked) => createAssistant(deps, ...asked),
    get: stored.get,
    list: stored.list,
    change: (...asked) => changeAssistant(deps, ...asked),
    publish: (...asked) => publishAssistant(deps, ...asked),
    unpublish: (owner, id) => unpublishAssistant(deps, owner, id),
    versions: (owner, id, page) => assistantVersions(deps, owner, id, page),
    delete: async (owner, id) => {
      const wasThere = await stored.delete(owner, id);
      changes.changed(owner);
      return wasThere;
    },
  };
}

function createAssistant(
  { db, clock }: ConfigurationDeps,
  ...[owner, id, draft]: Parameters<Assistants["create"]>
): ReturnType<Assistants["create"]> {
  return db.transaction().execute(async (transaction) => {
    const stored = storedAssistants(transaction);
    const standing = await stored.get(owner, id);
    if (standing !== null) return { saved: true, value: { created: false, value: standing } };
    const toolIds = await missingTools(transaction, owner, draft.toolIds);
    if (toolIds.length > 0) return { saved: false, reason: "tools_not_found", toolIds };
    const now = dateNow(clock);
    const times = { published_version: null, created_at: now, updated_at: now };
    return {
      saved: true,
      value: await stored.insert(owner, id, {
        ...columnsOf(draft),
        publish_needs_rehearsal: draft.publishNeedsRehearsal,
        ...times,
      }),
    };
  });
}

async function changeAssistant(
  deps: ConfigurationDeps,
  ...[owner, id, drafted]: Parameters<Assistants["change"]>
): ReturnType<Assistants["change"]> {
  const answer = await changingAssistant(deps, owner, id, async (row, transaction) => {
    const toolIds = await missingTools(transaction, owner, drafted.toolIds ?? []);
    if (toolIds.length > 0) return { saved: false, reason: "tools_not_found", toolIds } as const;
    const columns = columnsOf({ ...draftOf(row), ...drafted });
    const value = await storedAssistants(transaction).update(owner, id, {
      ...columns,
      publish_needs_rehearsal: drafted.publishNeedsRehearsal,
      updated_at: dateNow(deps.clock),
    });
    return value === null ? null : ({ saved: true, value } as const);
  });
  return answer ?? { saved: false, reason: "not_found" };
}
