import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Data that conversations need, stored once for all calls with the same. Rows are never changed or removed,
 * because events refer to them.
 */
export const pinned: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table config.pinned (
      sha256 text collate "C" primary key,
      owner text collate "C" not null,
      body json not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  },
};
