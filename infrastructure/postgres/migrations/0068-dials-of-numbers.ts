import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Every dial of the last 35 days by owner and number, for the caps of policies; one that became no dial is
 * taken out again. `number`: the digits of E.164. A slot keeps by what the policy allowed it, and the zone of
 * its person; `requested`: its CallRequested has been seen in the log, told only of slots under a policy.
 */
export const dialsOfNumbers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table work.number_dials (
    owner_id text collate "C" not null,
    number bigint not null,
    at timestamptz not null,
    call_id text collate "C" not null,
    primary key (owner_id, number, at, call_id)
  )`,
  // Only for those that expire.
  "create index number_dials_at on work.number_dials (at)",
  `alter table work.call_slots add column policy jsonb, add column timezone text,
    add column requested boolean not null default false`,
  `create index call_slots_number on work.call_slots (owner_id, phone_number) where closed_at is null`,
  // How far the dials of before are read from the log, and calls of which only the later events were met.
  // Nobody is dialled before it is done.
  `create table work.number_dials_fill (
    one_row boolean primary key default true check (one_row),
    position text collate "C",
    calls jsonb not null default '[]',
    done boolean not null default false
  )`,
  "insert into work.number_dials_fill default values",
];
