import { sql } from "kysely";
import type { ContactsImported, ImportedContact } from "../../domain/campaign/events.ts";
import type { ContactId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";

/**
 * Adjacent contacts of an import with their imported fields; 10,000 contacts are 200 rows. `contacts` is
 * JSON of `ImportedContact[]` that only the reader of a page parses; `ids` has the ids of the same
 * contacts in the same order.
 */
export type ContactGroupsTable = {
  readonly import_id: ImportId;
  readonly first_index: number;
  readonly ids: readonly ContactId[];
  readonly contacts: string;
  readonly created_at: Instant;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.contact_groups_v5": ContactGroupsTable;
  }
}

/** A page of the API needs only a few groups of this size, and their ids fit into the row. */
export const GROUP = 50;

/** Texts are stored uncompressed: decompressing takes more than the space is worth. */
export async function createGroupsTable(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("contact_groups")} (
    import_id text collate "C" not null,
    first_index integer not null,
    ids text[] collate "C" not null,
    contacts text not null,
    created_at text not null,
    primary key (import_id, first_index)
  )`.execute(trx);
  await sql`alter table ${tableOf("contact_groups")} alter column contacts set storage external`.execute(trx);
}

export async function insertGroups(
  trx: ReadTransaction,
  tableOf: TableOf,
  chunk: ContactsImported["data"],
): Promise<void> {
  const rows = groupsOf(chunk).map(
    ({ first, contacts }) =>
      sql`(${chunk.importId}, ${first}::integer, ${contacts.map(({ contactId }) => contactId)}::text[],
        ${JSON.stringify(contacts)}, ${chunk.at})`,
  );
  if (rows.length === 0) return;
  await sql`insert into ${tableOf("contact_groups")} (import_id, first_index, ids, contacts, created_at)
    values ${sql.join(rows)} on conflict do nothing`.execute(trx);
}

function groupsOf({ firstIndex, contacts }: ContactsImported["data"]): {
  readonly first: number;
  readonly contacts: readonly ImportedContact[];
}[] {
  return Array.from({ length: Math.ceil(contacts.length / GROUP) }, (_, number) => ({
    first: firstIndex + number * GROUP,
    contacts: contacts.slice(number * GROUP, (number + 1) * GROUP),
  }));
}

/** Only `insertGroups` writes them. */
export function readGroup(contacts: string): readonly ImportedContact[] {
  return JSON.parse(contacts) as readonly ImportedContact[];
}
