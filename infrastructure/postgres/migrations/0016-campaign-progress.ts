import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Progress of campaigns, reported each second by the processes that run them. Unlogged: it costs no disk
 * writes, and after a crash of the database everything in it would be too old anyway.
 */
export const campaignProgress: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create unlogged table work.campaign_progress (
      campaign_id text primary key,
      owner text not null,
      as_of timestamptz not null,
      due_now integer not null,
      waiting_for text,
      estimated_end_at timestamptz
    ) with (fillfactor = 50)`.execute(db);
  },
};
