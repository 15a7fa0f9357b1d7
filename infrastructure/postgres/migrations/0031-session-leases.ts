import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which process has the session of a live call. Times are the database's. */
export const sessionLeases: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table work.sessions (
      call_id text primary key,
      epoch integer not null,
      process text not null,
      until timestamptz not null
    ) with (fillfactor = 50)`.execute(db);
  },
};
