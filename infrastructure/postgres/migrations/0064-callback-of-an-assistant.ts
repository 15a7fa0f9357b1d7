import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether who is called may agree when to be called again; null: no. */
export const callbackOfAnAssistant: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["config.assistants", "config.assistant_versions"])
      await sql`alter table ${sql.table(table)} add column callback jsonb`.execute(db);
  },
};
