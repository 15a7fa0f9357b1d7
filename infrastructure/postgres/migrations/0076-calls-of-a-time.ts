import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Where the third read model of calls stands already, it gets the index of times, which lists are read by;
 * where it does not, the model makes it.
 */
export const callsOfATime: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Building the index reads the whole table, which can take longer than the ordinary statement timeout.
    await sql.raw("set local statement_timeout = 0").execute(db);
    await sql.raw(INDEX).execute(db);
  },
};

const INDEX = `do $$ begin
  if to_regclass('read.calls_v3') is null then return; end if;
  create index on read.calls_v3 (owner, created_at, id);
end $$`;
