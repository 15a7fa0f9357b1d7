import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Recordings that a carrier said would come, before it has told their names. */
export const expectedRecordings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.recordings alter column recording_ref drop not null`.execute(db);
    await sql`alter table work.recordings drop constraint recordings_copy_check`.execute(db);
    await sql`alter table work.recordings add constraint recordings_copy_check
      check (copy in ('expected', 'waiting', 'copied', 'absent', 'erased', 'refused'))`.execute(db);
  },
};
