import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * A place before the first event of an installation in an EventStoreDB that others write to as well: found once by a search through the whole log.
 * `event_id` is of the event that stands there; another one there means that the log is another one, and that it has to be searched again.
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
