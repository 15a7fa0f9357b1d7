import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { IS_RARE } from "../../log/rare-types.ts";

/**
 * Where an owner's events of rare types stand: by type, so that a page costs no more than its own events,
 * however many the owner has of other types.
 */
export const rareTypes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Building the index reads the whole log, which can take longer than the ordinary statement timeout.
    await sql.raw("set local statement_timeout = 0").execute(db);
    await sql.raw(INDEX).execute(db);
  },
};

const INDEX = `create index events_rare_types on log.events (type, owner, position) where ${IS_RARE}`;
