import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The identity of this installation at the carriers. A database that is already in use derives it from its
 * first user, so that a backup from before this migration gets the same one when it is restored and migrated.
 */
export const installation: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table work.installation (
    only_one boolean primary key default true check (only_one),
    id text not null,
    accepted_until timestamptz
  )`,
  `insert into work.installation (id) values (
    coalesce((select md5(id) from config.users order by created_at, id limit 1), gen_random_uuid()::text)
  )`,
];
