import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import type { Campaigns } from "../../log/aggregates.ts";
import type { Logger } from "../../ports/logger.ts";

/**
 * The same campaigns, with a line of the log for each milestone. The process that appended it tells it, so
 * that several processes tell it once.
 */
export function withMilestones(campaigns: Campaigns, logger: Logger): Campaigns {
  const halfTold = new Set<CampaignId>();
  return {
    ...campaigns,
    handle: async (stream, commands, origin, options) => {
      const handled = await campaigns.handle(stream, commands, origin, options);
      for (const event of handled.events) tell(logger, event);
      const outcome = handled.events.find(isOutcome);
      if (outcome !== undefined && !halfTold.has(outcome.data.campaignId)) {
        const { campaignId } = outcome.data;
        void campaigns
          .query(stream, doneOf)
          .then((seen) => tellHalf(logger, halfTold, campaignId, seen))
          .catch(() => undefined); // its runner reports what cannot be read
      }
      for (const event of handled.events)
        if (event.type === "CampaignCompleted" || event.type === "CampaignCancelled")
          halfTold.delete(event.data.campaignId);
      return handled;
    },
  };
}

function tell(logger: Logger, { type, data }: CampaignEvent): void {
  const { campaignId } = data;
  if (type === "CampaignStarted") logger.info({ campaignId }, "campaign started");
  else if (type === "CampaignPaused") logger.info({ campaignId, reason: data.reason }, "campaign paused");
  else if (type === "CampaignResumed") logger.info({ campaignId }, "campaign goes on");
  else if (type === "CampaignCancelled") logger.info({ campaignId }, "campaign cancelled");
  else if (type === "CampaignCompleted") logger.info({ campaignId }, "campaign finished");
}

function isOutcome({ type }: CampaignEvent): boolean {
  return type === "ContactSucceeded" || type === "ContactAttemptFailed";
}

type Done = { readonly done: number; readonly total: number };

function doneOf({ counts }: CampaignState): Done {
  const done = counts.succeeded + counts.failed + counts.skipped;
  return { done, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

function tellHalf(
  logger: Logger,
  told: Set<CampaignId>,
  campaignId: CampaignId,
  { done, total }: Done,
): void {
  if (done * 2 < total || told.has(campaignId)) return;
  if (done === total) return;
  told.add(campaignId);
  logger.info({ campaignId, done, total }, "half of a campaign is done");
}
