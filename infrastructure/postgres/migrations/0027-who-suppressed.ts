import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Who put a number on the do-not-call list; unknown for older entries. */
export const whoSuppressed: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.suppressions add column created_by text`.execute(db);
  },
};
