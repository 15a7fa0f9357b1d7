import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The keys that encrypt the texts of calls. From now on every call gets its row when its slot is opened, so
 * that a missing row is damage. Calls with an open slot get a row without a key here; the key is drawn when
 * it is first needed. `erased_at`: the key is gone for good.
 */
export const subjectKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table config.subject_keys (
    subject text collate "C" primary key,
    owner_id text collate "C" not null,
    sealed_key bytea,
    created_at timestamptz not null default now(),
    erased_at timestamptz,
    check (erased_at is null or sealed_key is null)
  )`,
  "insert into config.subject_keys (subject, owner_id) select call_id, owner_id from work.call_slots",
];
