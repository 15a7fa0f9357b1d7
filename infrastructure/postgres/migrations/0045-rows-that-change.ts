import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Room where rows are changed in place, none where they are not, and no index that no statement asks. Rows
 * that are there stay where they are; the calls are those of a read model that an older release has made.
 */
export const rowsThatChange: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "alter table if exists read.calls_v2 set (fillfactor = 50)",
  "alter table work.webhook_deliveries set (fillfactor = 100)",
  "drop index work.sessions_of_a_process",
];
