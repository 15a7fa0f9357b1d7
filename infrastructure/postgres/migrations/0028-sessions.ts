import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Sessions of browsers; `id` is the SHA-256 of the token in the cookie. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table config.sessions (
      id text primary key,
      key_id text not null references config.api_keys (id),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
    await sql`create index sessions_expires on config.sessions (expires_at)`.execute(db);
  },
};
