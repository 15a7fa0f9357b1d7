import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The name under which the carriers know this installation. A database that is in use already takes it from its first user, so that a copy from
 * before this migration, once it is put back and migrated again, goes by the same name.
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
