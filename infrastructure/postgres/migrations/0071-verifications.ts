import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Policies held against the log, and what broke them. `request`: policy, from and until; `result`: counts and
 * what cannot be judged, null until it is done. `held_until`: the process that works on it has it so long.
 */
export const verifications: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table work.verifications (
    id text collate "C" primary key,
    owner_id text collate "C" not null,
    request jsonb not null,
    progress real not null default 0,
    dials integer not null default 0,
    result jsonb,
    problem text,
    begun integer not null default 0,
    held_by text,
    held_until timestamptz,
    created_at timestamptz not null,
    completed_at timestamptz
  )`,
  "create index verifications_of_owner on work.verifications (owner_id, id)",
  "create index verifications_to_do on work.verifications (id) where completed_at is null",
  `create table work.verification_violations (
    verification_id text collate "C" not null references work.verifications (id) on delete cascade,
    place integer not null,
    violation jsonb not null,
    primary key (verification_id, place)
  )`,
];
