import { sql } from "kysely";
import type { CampaignsInState } from "../../application/installation-numbers.ts";
import { type ReadDatabase, servingTables } from "../engine/projection.ts";
import { campaignsProjection } from "./campaigns.ts";

/**
 * Counts over all owners for /metrics: reads a short row each, and the record of paused ones. Rejects
 * while there are no rows.
 */
export async function campaignsByState(db: ReadDatabase): Promise<readonly CampaignsInState[]> {
  const campaigns = servingTables(campaignsProjection)("campaigns");
  const { rows } = await sql<CampaignsInState>`
    select status as state, case when status = 'PAUSED' then detail->>'pauseReason' end as "pauseReason",
      count(*)::integer as count
    from ${campaigns} group by 1, 2`.execute(db);
  return rows;
}
