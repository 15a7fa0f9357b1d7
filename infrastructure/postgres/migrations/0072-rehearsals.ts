import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Rehearsals, their cases and their runs; what tools answer in them, and whether an assistant is published
 * only after one.
 */
export const rehearsals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "alter table config.tools add column sample_answer text",
  "alter table config.assistants add column publish_needs_rehearsal boolean not null default false",
  // Columns sealed_…: JSON under the key of the rehearsal; null: it is erased. given: the request; names: of
  // its cases; candidate, baseline: the lines. call_ids: the calls whose erasure empties it. connection_ids:
  // '' is the installation's. waits_since: it waits for tokens of the plan.
  `create table work.rehearsals (
    id text collate "C" primary key,
    owner_id text collate "C" not null,
    name text not null,
    assistant_id text collate "C",
    squad_id text collate "C",
    version text not null,
    baseline boolean not null,
    repeat integer not null,
    max_tokens integer not null,
    draft_hash text not null,
    call_ids text[] not null,
    connection_ids text[] not null,
    actor text not null,
    sealed_given text,
    sealed_names text,
    sealed_candidate text,
    sealed_baseline text,
    status text not null default 'running' check (status in ('running', 'done', 'cancelled')),
    ended_because text,
    waits_since timestamptz,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    erased boolean not null default false,
    created_at timestamptz not null,
    ended_at timestamptz,
    check ((assistant_id is null) <> (squad_id is null)),
    check ((status = 'running') = (ended_at is null))
  )`,
  "create index rehearsals_of_owner on work.rehearsals (owner_id, id)",
  "create index rehearsals_under_way on work.rehearsals (owner_id, id) where status = 'running'",
  "create index rehearsals_of_calls on work.rehearsals using gin (call_ids) where not erased",
  "create index rehearsals_kept on work.rehearsals (created_at)",
  `create table work.rehearsal_cases (
    rehearsal_id text collate "C" not null references work.rehearsals (id) on delete cascade,
    case_index integer not null,
    pass_at double precision not null,
    sealed_case text,
    primary key (rehearsal_id, case_index)
  )`,
  // place: among the runs of its rehearsal, by case, lane and n. held_until: the process that plays it has it
  // so long. Its result, and its messages, are sealed like the words of its rehearsal.
  `create table work.rehearsal_runs (
    id text collate "C" primary key,
    rehearsal_id text collate "C" not null references work.rehearsals (id) on delete cascade,
    owner_id text collate "C" not null,
    place integer not null,
    case_index integer not null,
    lane text not null check (lane in ('candidate', 'baseline')),
    n integer not null,
    status text not null default 'waiting'
      check (status in ('waiting', 'running', 'passed', 'failed', 'error', 'cancelled')),
    begun integer not null default 0,
    held_by text,
    held_until timestamptz,
    sealed_result text,
    sealed_messages text,
    started_at timestamptz,
    ended_at timestamptz,
    unique (rehearsal_id, place)
  )`,
  "create index rehearsal_runs_to_play on work.rehearsal_runs (rehearsal_id, place) where ended_at is null",
  "create index rehearsal_runs_played on work.rehearsal_runs (owner_id) where status = 'running'",
  `create table work.rehearsal_tokens (
    owner_id text collate "C" not null,
    day text collate "C" not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (owner_id, day)
  )`,
];
