import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Requests by the call that they started: an erasure finds them among those of a whole day. */
export const idempotencyKeysOfACall: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index idempotency_keys_call on work.idempotency_keys ((ids ->> 'callId'))
      where ids ->> 'callId' is not null`.execute(db);
  },
};
