import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How many tokens of language models an owner may use on a day; null: no limit, as before. */
export const modelTokens: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table config.users add column max_model_tokens_per_day bigint`.execute(db);
  },
};
