import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Recordings that are not copied because they are larger than their call can be. */
export const refusedRecordings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.recordings drop constraint recordings_copy_check`.execute(db);
    await sql`alter table work.recordings add constraint recordings_copy_check
      check (copy in ('waiting', 'copied', 'absent', 'erased', 'refused'))`.execute(db);
  },
};
