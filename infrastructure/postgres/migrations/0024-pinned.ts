import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What conversations need, once for all calls that need the same. Rows are never changed or removed: events name them. */
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
