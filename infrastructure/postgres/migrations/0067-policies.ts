import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The policy of each owner that is in force, which the admission reads. The log has all versions. */
export const policies: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table work.policies (
    owner_id text collate "C" primary key,
    version integer not null,
    policy jsonb not null,
    changed_at timestamptz not null
  )`,
  "create index policies_changed on work.policies (changed_at)",
  // Nobody had a policy until now: the reaction need not read the log at its first start.
  `insert into work.checkpoints (processor, position, event_id, moved_at)
    select 'policies', position, event_id, clock_timestamp() from work.checkpoints
    where processor = 'call-settlement'
    on conflict do nothing`,
];
