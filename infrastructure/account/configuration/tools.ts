import type { Selectable } from "kysely";
import type { ToolDraft, Tools } from "../../../application/ports/configuration/tools.ts";
import type { ToolRecord } from "../../../contract/tool.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { mapPage, pageOf } from "./page.ts";
import type { ToolsTable } from "./tables.ts";
import { assistantsWithTool } from "./tools-in-use.ts";

export function tools({ db, changes: told, clock }: ConfigurationDeps): Tools {
  const ofOwner = (owner: ToolsTable["owner_id"]) =>
    db.selectFrom("config.tools").selectAll().where("owner_id", "=", owner);
  return {
    create: async (owner, id, draft) => {
      const now = dateNow(clock);
      const columns = { ...draft, config: JSON.stringify(draft.config) };
      const made = await db
        .insertInto("config.tools")
        .values({ id, owner_id: owner, ...columns, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returningAll()
        .executeTakeFirst();
      const standing = made ?? (await ofOwner(owner).where("id", "=", id).executeTakeFirstOrThrow());
      return { created: made !== undefined, value: recordOf(standing) };
    },
    get: async (owner, id) => {
      const row = await ofOwner(owner).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : recordOf(row);
    },
    list: async (owner, { limit, after }) => {
      const rows = await ofOwner(owner)
        .$if(after !== null, (query) => query.where("id", "<", after))
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      return mapPage(
        pageOf(rows, limit, ({ id }) => id),
        recordOf,
      );
    },
    change: async (owner, id, changes) => {
      const row = await db
        .updateTable("config.tools")
        .set({ ...columnsOf(changes), updated_at: dateNow(clock) })
        .where("owner_id", "=", owner)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      told.changed(owner);
      return row === undefined ? null : recordOf(row);
    },
    delete: (owner, id) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom("config.tools")
          .select("id")
          .where("owner_id", "=", owner)
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) return { saved: false, reason: "not_found" };
        const assistantIds = await assistantsWithTool(transaction, owner, id);
        if (assistantIds.length > 0) return { saved: false, reason: "in_use", assistantIds };
        await transaction.deleteFrom("config.tools").where("id", "=", id).execute();
        return { saved: true, value: null };
      }),
  };
}

function columnsOf({ config, ...rest }: Partial<ToolDraft>) {
  return config === undefined ? rest : { ...rest, config: JSON.stringify(config) };
}

function recordOf(row: Selectable<ToolsTable>): ToolRecord {
  const { id, name, type, description, config } = row;
  const times = { createdAt: instantOfDate(row.created_at), updatedAt: instantOfDate(row.updated_at) };
  return { id, name, type, description, config, ...times };
}
