import { sql } from "kysely";
import type { StandingOfWork } from "../application/installation-numbers.ts";
import { callsProjection } from "./calls/calls.ts";
import { campaignsProjection } from "./campaigns/campaigns.ts";
import { type ReadDatabase, servingTables } from "./engine/projection.ts";

/**
 * Counts of all owners, for /metrics. It costs what is live, not what is stored: calls that have ended are in none of the indexes that it reads, and
 * of a campaign's record only that of a paused one is opened. Rejects while a read model has no rows.
 */
export async function standingOfWork(db: ReadDatabase): Promise<StandingOfWork> {
  const [calls, campaigns] = await Promise.all([
    sql<StandingOfWork["calls"][number]>`
      select status, count(*)::integer as count from ${servingTables(callsProjection)("calls")}
      where ended_as is null group by status`.execute(db),
    sql<StandingOfWork["campaigns"][number]>`
      select status as state, case when status = 'PAUSED' then detail->>'pauseReason' end as "pauseReason",
        count(*)::integer as count
      from ${servingTables(campaignsProjection)("campaigns")} group by 1, 2`.execute(db),
  ]);
  return { calls: calls.rows, campaigns: campaigns.rows };
}
