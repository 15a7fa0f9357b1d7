import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the calls of an assistant are asked for after their end; null: nothing. */
export const outcomeOfAnAssistant: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["config.assistants", "config.assistant_versions"])
      await sql`alter table ${sql.table(table)} add column outcome jsonb`.execute(db);
  },
};
