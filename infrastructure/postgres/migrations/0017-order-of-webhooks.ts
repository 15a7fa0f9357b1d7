import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Messages know their place among those about the same call or campaign. Those that are there already have none: they are of calls, and what they
 * are is known by their kind. A message about a campaign names no call.
 */
export const orderOfWebhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // The index reads the whole table: many messages take longer than an ordinary statement may.
  "set local statement_timeout = 0",
  "alter table work.webhook_messages add column sequence integer",
  `create index webhook_messages_campaign on work.webhook_messages (owner_id, campaign_id, sequence)
    where campaign_id is not null and call_id is null`,
];
