import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The do-not-call list tells who put a number there; of older entries nobody knows. */
export const whoSuppressed: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.suppressions add column created_by text`.execute(db);
  },
};
