import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Lists of numbers that are not called, beside the do-not-call list, which is not one of these rows. A row
 * stays when its list is deleted, so that the log's older events of it are known as such.
 */
export const suppressionLists: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // loaded: the version of its numbers that counts; null: none yet. replaced_at: when that came, as the
  // log's event says it; changed_at: the latest change of any kind, only rising. is_behind: the log knows
  // later numbers. A deleted list is not active and has no numbers.
  `create table config.suppression_lists (
    id text collate "C" primary key,
    owner_id text collate "C" not null,
    name text not null,
    kind text not null check (kind in ('own', 'registry', 'litigators', 'other')),
    active boolean not null,
    count integer not null default 0,
    as_of timestamptz,
    sha256 text,
    loaded bigint,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    sequence bigint generated always as identity,
    changed_at timestamptz not null,
    replaced_at timestamptz,
    is_behind boolean not null default false,
    deleted_at timestamptz,
    check (deleted_at is null or (not active and loaded is null))
  )`,
  "create index suppression_lists_owner on config.suppression_lists (owner_id, id) where deleted_at is null",
  // Changes whose event is not known to be in the log. event_id is drawn with the row, so it is there once.
  `create table config.suppression_list_changes (
    sequence bigint generated always as identity primary key,
    event_id text not null,
    list_id text collate "C" not null,
    owner_id text collate "C" not null,
    actor text not null,
    event jsonb not null
  )`,
  // No list has an event until now: the reaction need not read the log at its first start.
  `insert into work.checkpoints (processor, position, event_id, moved_at)
    select 'suppression-lists', position, event_id, clock_timestamp() from work.checkpoints
    where processor = 'call-settlement'
    on conflict do nothing`,
];
