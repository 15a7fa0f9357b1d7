import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Resources that all owners share: the turns of connections, and the conversations that processes hold.
 * `work.processes.*_open`: slots opened minus slots closed by that process, so that nobody waits for
 * another's row; their sum over all rows is the number of open slots. The row '' has the slots from before,
 * and those of dead processes.
 */
export const connectionTurns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table work.connection_turns (
    key text collate "C" primary key,
    kind text not null,
    audio boolean not null,
    per_second double precision,
    max_live integer,
    next_turn_ms double precision not null,
    ahead_ms json not null,
    slowed_ms double precision not null,
    slowed_until_ms double precision not null
  ) with (fillfactor = 50)`,
  `alter table work.call_slots add column connection text collate "C", add column audio boolean not null default false`,
  `create index call_slots_connection on work.call_slots (connection) where closed_at is null and connection is not null`,
  `alter table work.slot_demand add column connection text collate "C", add column waits_for text collate "C"`,
  `create index slot_demand_waits on work.slot_demand (last_grant_ms) where waits_for is not null`,
  `create table work.processes (
    id text collate "C" primary key,
    text_limit integer not null,
    audio_limit integer not null,
    text_open bigint not null default 0,
    audio_open bigint not null default 0,
    alive_at timestamptz not null
  ) with (fillfactor = 50)`,
  `insert into work.processes (id, text_limit, audio_limit, text_open, alive_at)
   select '', 0, 0, count(*), '-infinity' from work.call_slots where closed_at is null`,
];
