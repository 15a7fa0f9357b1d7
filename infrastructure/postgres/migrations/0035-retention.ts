import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * For how many days an owner keeps the texts of calls (null: for ever), and an index of the remaining keys by
 * the age of their calls.
 */
export const retention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.users add column content_days integer check (content_days between 1 and 3650)`.execute(
      db,
    );
    await sql`create index subject_keys_kept on config.subject_keys (owner_id, created_at, subject)
      where erased_at is null`.execute(db);
  },
};
