import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Connections of owners. `sealed`: all secrets of a connection, as JSON, encrypted for this row only. */
export const connections: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table config.connections (
        id text collate "C" primary key,
        owner_id text collate "C" not null,
        kind text not null,
        name text not null,
        settings json not null,
        sealed bytea not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db);
    await sql`create index connections_of_owner on config.connections (owner_id, id)`.execute(db);
  },
};
