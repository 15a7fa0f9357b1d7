import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Conversation settings of an assistant. Existing drafts and versions get the defaults. */
export const conversationOfAnAssistant: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["config.assistants", "config.assistant_versions"]) {
      await sql`
        alter table ${sql.raw(table)}
          add column model_connection_id text,
          add column fallback_message text,
          add column silence_timeout_seconds integer not null default 8,
          add column end_silence_ms integer not null default 500,
          add column interruptible boolean not null default true,
          add column recording text,
          add column recording_notice text`.execute(db);
    }
  },
};
