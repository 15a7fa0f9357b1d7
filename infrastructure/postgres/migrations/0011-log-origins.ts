import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * A position before the first event of an installation in a shared EventStoreDB, found once by a search
 * through the whole log. `event_id` is the event at that position; if there is another one, the log is
 * another one, and it has to be searched again.
 */
export const logOrigins: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table work.log_origins (
      prefix text primary key,
      position text not null,
      event_id text not null,
      found_at timestamptz not null default now()
    )`.execute(db);
  },
};
