import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Who set the limits of an owner: `default` follows the environment at each start, `operator` stays. Of owners made
 * before, nobody wrote it down: those that were never changed and have what the first owner was made with follow,
 * all others keep what they have.
 */
export const planSource: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.users add column plan_source text not null default 'operator'
      check (plan_source in ('default', 'operator'))`.execute(db);
    await sql`update config.users set plan_source = 'default'
      where updated_at = created_at and max_model_tokens_per_day is null
        and (max_concurrent_calls, max_calls_per_second) = (
          select max_concurrent_calls, max_calls_per_second from config.users
          where updated_at = created_at order by created_at, id limit 1)`.execute(db);
  },
};
