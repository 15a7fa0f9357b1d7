import type { Kysely, Selectable } from "kysely";
import type { AssistantRecord, Assistants } from "../../../application/ports/configuration/assistants.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { columnsOf, draftOf } from "./assistant-columns.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { mapPage, pageOf } from "./page.ts";
import type { AssistantsTable, ConfigurationTables } from "./tables.ts";
import { missingTools } from "./tools-in-use.ts";

type Row = Selectable<AssistantsTable>;

export function assistants({ db, changes, clock }: ConfigurationDeps): Assistants {
  /** Whatever changes an assistant holds its row first; null: unknown. */
  const changing = async <Answer>(
    owner: OwnerId,
    id: AssistantId,
    change: (transaction: Kysely<ConfigurationTables>, row: Row) => Promise<Answer>,
  ): Promise<Answer | null> => {
    const answer = await db.transaction().execute(async (transaction) => {
      const row = await rowOf(transaction, owner, id).forUpdate().executeTakeFirst();
      return row === undefined ? null : change(transaction, row);
    });
    changes.changed(owner);
    return answer;
  };
  const update = async (
    transaction: Kysely<ConfigurationTables>,
    id: AssistantId,
    values: Partial<Omit<Row, "id" | "owner_id">>,
  ): Promise<AssistantRecord> => {
    const row = await transaction
      .updateTable("config.assistants")
      .set({ ...values, updated_at: dateNow(clock) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return recordOf(row);
  };
  return {
    create: (owner, id, draft) =>
      db.transaction().execute(async (transaction) => {
        const standing = await rowOf(transaction, owner, id).executeTakeFirst();
        if (standing !== undefined)
          return { saved: true, value: { created: false, value: recordOf(standing) } };
        const toolIds = await missingTools(transaction, owner, draft.toolIds);
        if (toolIds.length > 0) return { saved: false, reason: "tools_not_found", toolIds };
        const now = dateNow(clock);
        const row = await transaction
          .insertInto("config.assistants")
          .values({
            id,
            owner_id: owner,
            ...columnsOf(draft),
            published_version: null,
            created_at: now,
            updated_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return { saved: true, value: { created: true, value: recordOf(row) } };
      }),
    get: async (owner, id) => {
      const row = await rowOf(db, owner, id).executeTakeFirst();
      return row === undefined ? null : recordOf(row);
    },
    list: async (owner, { limit, after }) => {
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
        recordOf,
      );
    },
    change: async (owner, id, drafted) => {
      const answer = await changing(owner, id, async (transaction, row) => {
        const draft = { ...draftOf(row), ...drafted };
        const toolIds = await missingTools(transaction, owner, drafted.toolIds ?? []);
        if (toolIds.length > 0) return { saved: false, reason: "tools_not_found", toolIds } as const;
        return { saved: true, value: await update(transaction, id, columnsOf(draft)) } as const;
      });
      return answer ?? { saved: false, reason: "not_found" };
    },
    publish: (owner, id) =>
      changing(owner, id, async (transaction, row) => {
        const version = row.versions + 1;
        await transaction
          .insertInto("config.assistant_versions")
          .values({ assistant_id: id, version, ...columnsOf(draftOf(row)), published_at: dateNow(clock) })
          .execute();
        return update(transaction, id, { versions: version, published_version: version });
      }),
    unpublish: (owner, id) =>
      changing(owner, id, (transaction, row) =>
        row.published_version === null
          ? Promise.resolve(recordOf(row))
          : update(transaction, id, { published_version: null }),
      ),
    versions: async (owner, id, { limit, after }) => {
      if ((await rowOf(db, owner, id).executeTakeFirst()) === undefined) return null;
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
    },
    delete: async (owner, id) => {
      const { numDeletedRows } = await db
        .deleteFrom("config.assistants")
        .where("owner_id", "=", owner)
        .where("id", "=", id)
        .executeTakeFirst();
      changes.changed(owner);
      return numDeletedRows > 0n;
    },
  };
}

function rowOf(db: Kysely<ConfigurationTables>, owner: OwnerId, id: AssistantId) {
  return db.selectFrom("config.assistants").selectAll().where("owner_id", "=", owner).where("id", "=", id);
}

function recordOf(row: Row): AssistantRecord {
  return {
    id: row.id,
    ...draftOf(row),
    publishedVersion: row.published_version,
    versions: row.versions,
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}
