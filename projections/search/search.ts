import { sql } from "kysely";
import type { Projection, ReadTransaction, TableOf } from "../engine/projection.ts";
import { callWriter } from "./call-blocks.ts";
import { writeContacts } from "./contact-blocks.ts";
import { writeNamed } from "./named-rows.ts";

/**
 * Search for names and numbers, not for texts of conversations. A thousand calls, or the contacts of a chunk,
 * are one row with their texts as lines. A search scans these, newest first, which is fast enough for
 * millions and needs no extension of the database.
 */
export const searchProjection: Projection = {
  name: "search",
  version: 1,
  restMillis: 100,
  types: new Set([
    "CallRequested",
    "ContactsImported",
    "CampaignCreated",
    "ContactsAdded",
    "ImportAbandoned",
    "CampaignSettingsChanged",
    "CampaignDeleted",
    "SquadCreated",
    "SquadChanged",
    "SquadDeleted",
  ]),
  tables: ["search_calls", "search_call_blocks", "search_contact_blocks", "search_named", "search_rejected"],
  createTables,
  createIndexes,
  openWriter(tableOf) {
    const calls = callWriter(tableOf);
    return {
      async write(trx, events) {
        await calls.write(trx, events);
        for (const recorded of events) {
          await writeContacts(trx, tableOf, recorded);
          await writeNamed(trx, tableOf, recorded);
        }
        return [];
      },
      forget: calls.forget,
    };
  },
};

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("search_calls")} (
    id text collate "C" primary key,
    owner text not null,
    number text not null,
    name text
  )`.execute(trx);
  await createBlockTable(trx, tableOf("search_call_blocks"), sql`primary key (owner, last_id)`);
  await createBlockTable(
    trx,
    tableOf("search_contact_blocks"),
    sql`import_id text collate "C" not null, first_index integer not null, campaign_id text collate "C" not null,
      created_at text not null, sealed boolean not null, primary key (import_id, first_index)`,
  );
  await sql`create table ${tableOf("search_named")} (
    id text collate "C" primary key,
    kind text not null,
    owner text not null,
    title text not null,
    words text not null,
    created_at text not null
  )`.execute(trx);
  await sql`create table ${tableOf("search_rejected")} (
    campaign_id text collate "C" not null,
    position text not null,
    place integer not null,
    owner text not null,
    number text not null,
    reason text not null,
    type text not null,
    at text not null,
    primary key (campaign_id, position, place)
  )`.execute(trx);
}

/**
 * `entries`: [number, name] of each, as JSON. Texts are stored outside of the row and uncompressed, so that
 * queries that do not need them do not read them.
 */
async function createBlockTable(
  trx: ReadTransaction,
  table: ReturnType<TableOf>,
  more: ReturnType<typeof sql>,
): Promise<void> {
  await sql`create table ${table} (
    owner text not null,
    last_id text collate "C" not null,
    first_id text collate "C" not null,
    digits text collate "C" not null,
    words text collate "C" not null,
    ids text collate "C" not null,
    entries json not null,
    ${more}
  )`.execute(trx);
  for (const column of ["digits", "words", "ids", "entries"])
    await sql`alter table ${table} alter column ${sql.ref(column)} set storage external`.execute(trx);
}

async function createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create index on ${tableOf("search_calls")} (owner, id)`.execute(trx);
  await sql`create index on ${tableOf("search_contact_blocks")} (owner, last_id)`.execute(trx);
  await sql`create index on ${tableOf("search_contact_blocks")} (campaign_id)`.execute(trx);
  await sql`create index on ${tableOf("search_named")} (owner, kind, id)`.execute(trx);
  await sql`create index on ${tableOf("search_rejected")} (owner, number)`.execute(trx);
}
