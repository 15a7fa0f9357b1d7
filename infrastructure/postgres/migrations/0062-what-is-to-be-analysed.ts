import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When each wish for an analysis is tried next, what is asked, and the tokens that this takes. */
export const whatIsToBeAnalysed: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // used_*: of the tries before; null: no model has answered.
  `create table work.analyses (
    analysis_id uuid primary key,
    call_id text collate "C" not null,
    owner_id text collate "C" not null,
    wished boolean not null,
    due_at timestamptz not null,
    tries integer not null default 0,
    used_model text,
    used_input bigint,
    used_output bigint
  )`,
  "create index analyses_of_owner on work.analyses (owner_id, due_at)",
  "create index analyses_due on work.analyses (due_at)",
  `create table config.analysis_settings (
    sha256 text collate "C" primary key,
    body jsonb not null
  )`,
  `create table work.analysis_tokens (
    owner_id text collate "C" not null,
    day text collate "C" not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (owner_id, day)
  )`,
  // No assistant has asked for anything until now: the reaction need not read the log at its first start.
  `insert into work.checkpoints (processor, position, event_id, moved_at)
    select 'analyses', position, event_id, clock_timestamp() from work.checkpoints
    where processor = 'call-settlement'
    on conflict do nothing`,
];
