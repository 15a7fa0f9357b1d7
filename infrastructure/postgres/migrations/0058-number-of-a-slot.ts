import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Whom a slot is to call: an opt-out waits for dials of its number that began before it. Slots of older
 * releases have none and count for every number of their owner.
 */
export const numberOfASlot: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.call_slots add column phone_number text`.execute(db);
    // Nobody listened on the calls until now: the reaction to opt-outs need not read them at its first start.
    await sql`insert into work.checkpoints (processor, position, event_id, moved_at)
      select 'opt-outs', position, event_id, clock_timestamp() from work.checkpoints
      where processor = 'call-settlement'
      on conflict do nothing`.execute(db);
  },
};
