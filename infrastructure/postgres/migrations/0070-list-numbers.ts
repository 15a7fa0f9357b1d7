import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The numbers of lists, in blocks of sorted ones: 5,000,000 take 55 MB, a row for each would take 300. And
 * who is loading which version of a list.
 */
export const listNumbers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // numbers: digits of E.164, ascending, at most 64, the first of them in first. Blocks do not overlap.
  // Whoever looks for the last block before a number reads half an index page: such a page is kept small.
  `create table config.list_numbers (
    version bigint not null,
    first bigint not null,
    numbers bigint[] not null,
    primary key (version, first) with (fillfactor = 30)
  )`,
  // Every version that may have numbers. Until then somebody loads it; afterwards its numbers are removed,
  // unless it is what a list has loaded.
  `create table work.list_loads (
    version bigint generated always as identity primary key,
    list_id text collate "C" not null,
    owner_id text collate "C" not null,
    until timestamptz not null
  )`,
];
