import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Messages store their place among those about the same call or campaign. Existing ones have none: they are
 * about calls, and their kind implies it. A message about a campaign has no call.
 */
export const orderOfWebhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // Building the index reads the whole table, which can take longer than the ordinary statement timeout.
  "set local statement_timeout = 0",
  "alter table work.webhook_messages add column sequence integer",
  `create index webhook_messages_campaign on work.webhook_messages (owner_id, campaign_id, sequence)
    where campaign_id is not null and call_id is null`,
];
