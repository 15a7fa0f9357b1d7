import type { Kysely, Selectable } from "kysely";
import type { ToolDraft, Tools } from "../../../application/ports/configuration/tools.ts";
import type { ToolRecord } from "../../../contract/tool.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { ownersRecords } from "./owners-records.ts";
import type { ConfigurationTables, ToolsTable } from "./tables.ts";
import { assistantsWithTool } from "./tools-in-use.ts";

const stored = (db: Kysely<ConfigurationTables>) => ownersRecords(db, "config.tools", recordOf);

export function tools({ db, changes: ownerChanges, clock }: ConfigurationDeps): Tools {
  return {
    get: stored(db).get,
    list: stored(db).list,
    create: (owner, id, draft) => {
      const now = dateNow(clock);
      const { name, type, description, config, sampleAnswer: sample_answer } = draft;
      const columns = { name, type, description, config: JSON.stringify(config), sample_answer };
      return stored(db).insert(owner, id, { ...columns, created_at: now, updated_at: now });
    },
    change: async (owner, id, changes) => {
      const changed = await stored(db).update(owner, id, {
        ...columnsOf(changes),
        updated_at: dateNow(clock),
      });
      ownerChanges.changed(owner);
      return changed;
    },
    delete: async (owner, id) => {
      const answer = await stored(db).locked(owner, id, async (_row, transaction) => {
        const assistantIds = await assistantsWithTool(transaction, owner, id);
        if (assistantIds.length > 0) return { saved: false, reason: "in_use", assistantIds } as const;
        await stored(transaction).delete(owner, id);
        return { saved: true, value: null } as const;
      });
      return answer ?? { saved: false, reason: "not_found" };
    },
  };
}

function columnsOf({ config, sampleAnswer, ...rest }: Partial<ToolDraft>) {
  return {
    ...rest,
    ...(config === undefined ? {} : { config: JSON.stringify(config) }),
    ...(sampleAnswer === undefined ? {} : { sample_answer: sampleAnswer }),
  };
}

function recordOf(row: Selectable<ToolsTable>): ToolRecord {
  const { id, name, type, description, config } = row;
  const times = { createdAt: instantOfDate(row.created_at), updatedAt: instantOfDate(row.updated_at) };
  return { id, name, type, description, config, sampleAnswer: row.sample_answer, ...times };
}
