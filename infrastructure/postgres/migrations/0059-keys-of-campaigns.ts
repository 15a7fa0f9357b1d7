import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * From now on a campaign has its row in config.subject_keys before its first contact is stored. `keyed`: it
 * has one since this import, so that a missing row is damage. Imports of older releases have none.
 */
export const keysOfCampaigns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.imports add column keyed boolean not null default false`.execute(db);
    await sql`create index imports_keyed on work.imports (campaign_id) where keyed`.execute(db);
  },
};
