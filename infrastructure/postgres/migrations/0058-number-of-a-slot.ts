import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Whom a slot is to call: an opt-out waits for dials of its number that began before it. Slots of older
 * releases have none and count for every number of their owner.
 */
export const numberOfASlot: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.call_slots add column phone_number text`.execute(db);
  },
};
