import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { ImportId } from "../../domain/shared/ids.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";
import { textBlock } from "./text-block.ts";

/** A chunk of an import is a row; it can be found from the seal of the import on. */
export async function writeContacts(
  trx: ReadTransaction,
  tableOf: TableOf,
  { event, metadata }: RecordedEvent,
): Promise<void> {
  const table = tableOf("search_contact_blocks");
  switch (event.type) {
    case "ContactsImported": {
      const { importId, campaignId, firstIndex, contacts, at } = event.data;
      if (contacts.length === 0) return; // erased
      const { first_id, last_id, digits, words, ids, entries } = textBlock(
        contacts.map(({ contactId, phoneNumber, name }) => ({ id: contactId, number: phoneNumber, name })),
      );
      await sql`insert into ${table}
        (owner, last_id, first_id, digits, words, ids, entries, import_id, first_index, campaign_id, created_at, sealed)
        values (${metadata.owner}, ${last_id}, ${first_id}, ${digits}, ${words}, ${ids}, ${entries}::json, ${importId},
          ${firstIndex}, ${campaignId}, ${at}, false) on conflict do nothing`.execute(trx);
      return;
    }
    case "CampaignCreated":
    case "ContactsAdded":
      return seal(trx, tableOf, event.data.importId);
    case "ImportAbandoned":
      await sql`delete from ${table} where import_id = ${event.data.importId}`.execute(trx);
      return;
    case "CampaignDeleted":
      await sql`delete from ${table} where campaign_id = ${event.data.campaignId}`.execute(trx);
      return;
    default:
      return;
  }
}

async function seal(trx: ReadTransaction, tableOf: TableOf, importId: ImportId): Promise<void> {
  await sql`update ${tableOf("search_contact_blocks")} set sealed = true where import_id = ${importId}`.execute(
    trx,
  );
}
