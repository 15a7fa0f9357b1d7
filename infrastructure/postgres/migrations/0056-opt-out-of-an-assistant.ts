import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What assistants do when somebody asks never to be called again. Calls pinned before do not listen. */
export const optOutOfAnAssistant: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["config.assistants", "config.assistant_versions"]) {
      await sql`alter table ${sql.table(table)}
        add column opt_out text not null default 'listen' check (opt_out in ('listen', 'off')),
        add column opt_out_digit text,
        add column opt_out_message text`.execute(db);
    }
  },
};
