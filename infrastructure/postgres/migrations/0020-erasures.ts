import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Erasures, done and running: one that a crash interrupted continues from here. */
export const erasures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table work.erasures (
    id text collate "C" primary key,
    owner_id text collate "C" not null,
    kind text not null,
    call_id text collate "C",
    phone_number text,
    call_ids text[] not null,
    recordings integer not null,
    deliveries integer not null default 0,
    created_at timestamptz not null,
    completed_at timestamptz
  )`,
  "create index erasures_of_owner on work.erasures (owner_id, id)",
  "create index erasures_running on work.erasures (id) where completed_at is null",
];
