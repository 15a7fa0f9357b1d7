import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Until when a carrier has time to open the session that it was told about. */
export const dueSessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.call_slots add column session_due_by timestamptz`.execute(db);
  },
};
