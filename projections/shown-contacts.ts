import { sql } from "kysely";
import type { ShownWords } from "../application/ports/erasures.ts";
import type { CampaignId } from "../domain/shared/ids.ts";
import { contactsProjection, deleteContacts } from "./contacts/contacts.ts";
import { isOfMissingTables } from "./engine/missing-tables.ts";
import { type ReadDatabase, type ReadTransaction, servingTables } from "./engine/projection.ts";
import { searchProjection } from "./search/search.ts";

/** Leaves the rows of contacts as the CampaignDeleted of their campaign does. */
export function shownContacts(db: ReadDatabase): Pick<ShownWords, "removeContacts"> {
  const contacts = servingTables(contactsProjection);
  const search = servingTables(searchProjection);
  const withTables = async (work: (trx: ReadTransaction) => Promise<void>) => {
    await db
      .transaction()
      .execute(work)
      .catch((error: unknown) => {
        // Missing rows are made from the log, where the contacts are encrypted.
        if (!isOfMissingTables(error)) throw error;
      });
  };
  return {
    async removeContacts(campaignIds: readonly CampaignId[]) {
      await withTables(async (trx) => {
        for (const campaignId of campaignIds) await deleteContacts(trx, contacts, campaignId);
      });
      await withTables(async (trx) => {
        for (const table of ["search_contact_blocks", "search_rejected"])
          await sql`delete from ${search(table)} where campaign_id = any(${campaignIds}::text[])`.execute(
            trx,
          );
      });
    },
  };
}
