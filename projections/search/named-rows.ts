import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { RejectedContacts } from "../../domain/campaign/events.ts";
import { wordsOf } from "../../domain/shared/search-text.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";

type Named = {
  readonly id: string;
  readonly kind: "campaign" | "squad";
  readonly owner: string;
  readonly title: string;
  readonly at: string;
};

/** A longer text is not searched as a number. */
export const LONGEST_NUMBER = 64;

/**
 * Named records of which there are few: campaigns and squads; and the first hundred numbers that
 * each import refused.
 */
export async function writeNamed(
  trx: ReadTransaction,
  tableOf: TableOf,
  recorded: RecordedEvent,
): Promise<void> {
  const { event } = recorded;
  switch (event.type) {
    case "CampaignCreated": {
      const { campaignId: id, owner, settings, at, rejected } = event.data;
      await insertNamed(trx, tableOf, { id, kind: "campaign", owner, title: settings.name, at });
      return insertRejected(trx, tableOf, recorded, { campaignId: id, at, rejected });
    }
    case "ContactsAdded":
      return insertRejected(trx, tableOf, recorded, event.data);
    case "CampaignSettingsChanged":
      return rename(trx, tableOf, event.data.campaignId, event.data.changes.name);
    case "SquadCreated": {
      const { squadId: id, owner, name: title, at } = event.data;
      return insertNamed(trx, tableOf, { id, kind: "squad", owner, title, at });
    }
    case "SquadChanged":
      return rename(trx, tableOf, event.data.squadId, event.data.changes.name);
    case "CampaignDeleted": {
      const { campaignId } = event.data;
      await sql`delete from ${tableOf("search_named")} where id = ${campaignId}`.execute(trx);
      await sql`delete from ${tableOf("search_rejected")} where campaign_id = ${campaignId}`.execute(trx);
      return;
    }
    case "SquadDeleted":
      await sql`delete from ${tableOf("search_named")} where id = ${event.data.squadId}`.execute(trx);
      return;
    default:
      return;
  }
}

async function insertNamed(trx: ReadTransaction, tableOf: TableOf, named: Named): Promise<void> {
  const { id, kind, owner, title, at } = named;
  await sql`insert into ${tableOf("search_named")} (id, kind, owner, title, words, created_at)
    values (${id}, ${kind}, ${owner}, ${title}, ${wordsOf(title)}, ${at}) on conflict do nothing`.execute(
    trx,
  );
}

async function rename(
  trx: ReadTransaction,
  tableOf: TableOf,
  id: string,
  title: string | undefined,
): Promise<void> {
  if (title === undefined) return;
  await sql`update ${tableOf("search_named")} set title = ${title}, words = ${wordsOf(title)} where id = ${id}`.execute(
    trx,
  );
}

async function insertRejected(
  trx: ReadTransaction,
  tableOf: TableOf,
  { position, event, metadata }: RecordedEvent,
  {
    campaignId,
    at,
    rejected,
  }: { readonly campaignId: string; readonly at: string; readonly rejected: RejectedContacts },
): Promise<void> {
  const rows = rejected.items.flatMap(({ phoneNumber, reason }, place) =>
    phoneNumber === null || phoneNumber.length > LONGEST_NUMBER
      ? []
      : [{ place, number: phoneNumber, reason }],
  );
  if (rows.length === 0) return;
  await sql`insert into ${tableOf("search_rejected")} (campaign_id, position, place, owner, number, reason, type, at)
    select ${campaignId}, ${position}, place, ${metadata.owner}, number, reason, ${event.type}, ${at}
    from json_to_recordset(${JSON.stringify(rows)}) as new (place integer, number text, reason text)
    on conflict do nothing`.execute(trx);
}
