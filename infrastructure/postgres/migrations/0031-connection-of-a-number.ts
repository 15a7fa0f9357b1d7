import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The connection of a number; null: the installation's default. */
export const connectionOfANumber: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.phone_numbers add column connection_id text collate "C"`.execute(db);
  },
};
