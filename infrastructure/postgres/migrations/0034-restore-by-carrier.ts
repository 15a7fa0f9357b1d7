import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Numbers that other programs call from as well, and carriers that did not answer when they were
 * asked for their calls.
 */
export const restoreByCarrier: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.phone_numbers add column shared boolean not null default false`.execute(db);
    await sql`create table work.unasked_carriers (
      key text collate "C" primary key,
      since timestamptz not null
    )`.execute(db);
  },
};
