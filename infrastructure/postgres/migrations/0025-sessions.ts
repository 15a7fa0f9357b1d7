import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Which process talks on which call, and when it was last seen alive: the log cannot show that of
 * a process that died.
 */
export const voiceSessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table work.sessions (
      call_id text collate "C" primary key,
      process text collate "C" not null,
      seen_at timestamptz not null
    )`.execute(db);
    await sql`create index sessions_of_a_process on work.sessions (process)`.execute(db);
  },
};
