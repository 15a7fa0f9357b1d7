import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The started attempts of a claim are one row beside the deliveries, whose rows are written once: when the
 * attempt has ended. What an older release had started is moved there.
 */
export const startsOfAttempts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "set local statement_timeout = 0",
  `create table work.webhook_starts (
    owner_id text collate "C" not null,
    id bigint generated always as identity,
    started_at timestamptz not null,
    -- Of each its delivery and its number: in flight as long as the delivery has had fewer attempts.
    deliveries text[] collate "C" not null,
    numbers integer[] not null,
    primary key (owner_id, id)
  )`,
  `insert into work.webhook_starts (owner_id, started_at, deliveries, numbers)
  select owner_id, coalesce(started_at, next_attempt_at), array_agg(id), array_agg(attempts) from work.webhook_deliveries
  where status = 'sending' group by 1, 2`,
  `update work.webhook_deliveries set attempts = attempts - 1,
    status = case when failures > 0 then 'retrying' else 'pending' end
  where status = 'sending'`,
  "alter table work.webhook_deliveries drop column started_at",
];
