import type pg from "pg";
import type { CampaignProgressReports } from "../../application/ports/campaign-progress.ts";
import type { WaitingFor } from "../../domain/campaign/progress.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";

type Row = {
  readonly asOf: Date;
  readonly dueNow: number;
  readonly waitingFor: WaitingFor | null;
  readonly estimatedEndAt: Date | null;
};

/**
 * Rows of work.campaign_progress; the time of a report is the database's, whatever the clocks
 * of the processes say.
 */
export function createPostgresCampaignProgress(pool: pg.Pool): CampaignProgressReports {
  return {
    write: async (reports) => {
      await pool.query(
        `insert into work.campaign_progress as old (campaign_id, owner, as_of, due_now, waiting_for, estimated_end_at)
         select "campaignId", owner, clock_timestamp(), "dueNow", "waitingFor", "estimatedEndAt"
         from json_to_recordset($1) as new ("campaignId" text, owner text, "dueNow" integer, "waitingFor" text, "estimatedEndAt" timestamptz)
         on conflict (campaign_id) do update set as_of = excluded.as_of, due_now = excluded.due_now,
           waiting_for = excluded.waiting_for, estimated_end_at = excluded.estimated_end_at`,
        [JSON.stringify(reports)],
      );
    },
    find: async (owner, id) => {
      const { rows } = await pool.query<Row>(
        `select as_of as "asOf", due_now as "dueNow", waiting_for as "waitingFor", estimated_end_at as "estimatedEndAt"
         from work.campaign_progress
         where campaign_id = $1 and owner = $2 and as_of > clock_timestamp() - interval '5 seconds'`,
        [id, owner],
      );
      const [row] = rows;
      if (row === undefined) return null;
      const { asOf, dueNow, waitingFor, estimatedEndAt } = row;
      return {
        asOf: instantFromMillis(asOf.getTime()),
        dueNow,
        waitingFor,
        estimatedEndAt: estimatedEndAt && instantFromMillis(estimatedEndAt.getTime()),
      };
    },
  };
}
