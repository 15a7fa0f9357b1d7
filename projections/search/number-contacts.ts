import { sql } from "kysely";
import type { Position } from "../../application/ports/event-store.ts";
import { NUMBER_ROWS, type NumberContact } from "../../application/ports/queries/number-records.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { digitsOf } from "../../domain/shared/search-text.ts";
import type { ReadDatabase } from "../engine/projection.ts";
import { linesWith } from "./search-queries.ts";

/** The owner's contacts with exactly this number, newest first, in their current state. */
export async function contactsOfNumber(
  db: ReadDatabase,
  owner: OwnerId,
  number: string,
): Promise<readonly NumberContact[]> {
  const { rows } = await sql<NumberContact>`
    with hit as materialized (
      select import_id, campaign_id, ids, entries, digits as lines from read.search_contact_blocks_v1
      where owner = ${owner} and sealed and strpos(digits, ${digitsOf(number)}) > 0
      order by last_id desc limit ${NUMBER_ROWS}),
    found as materialized (
      select found.id, hit.campaign_id, hit.import_id, hit.entries -> found.place as entry
      from hit cross join lateral (${linesWith(digitsOf(number))}) as found
      where hit.entries -> found.place ->> 0 = ${number} order by found.id desc limit ${NUMBER_ROWS})
    select found.campaign_id as "campaignId", found.id as "contactId", found.entry ->> 1 as name,
      coalesce(c.status, case when i.cancelled then 'skipped' else 'pending' end) as status
    from found left join read.contacts_v5 c on c.id = found.id
    left join read.contact_imports_v5 i on i.import_id = found.import_id
    order by found.id desc`.execute(db);
  return rows;
}

export type RejectedNumber = {
  readonly campaignId: CampaignId;
  readonly position: Position;
  readonly type: string;
  readonly at: Instant;
  readonly reason: string;
};

/** Imports that refused exactly this text as a number, newest first; each once. */
export async function rejectionsOfNumber(
  db: ReadDatabase,
  owner: OwnerId,
  number: string,
): Promise<readonly RejectedNumber[]> {
  const { rows } = await sql<RejectedNumber>`
    select distinct on (at, campaign_id, position) campaign_id as "campaignId", position, type, at, reason
    from read.search_rejected_v1 where owner = ${owner} and number = ${number}
    order by at desc, campaign_id desc, position, place limit ${NUMBER_ROWS}`.execute(db);
  return rows;
}
