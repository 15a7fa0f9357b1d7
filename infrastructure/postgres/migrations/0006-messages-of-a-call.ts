import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Messages of a call are always queried with their owner, so the only suitable index has both. With the
 * call alone, a planner without statistics could choose the primary key and read every message of the
 * owner for each call.
 */
export const messagesOfACall: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "drop index work.webhook_messages_call",
  "create index webhook_messages_call on work.webhook_messages (owner_id, call_id) where call_id is not null",
];
