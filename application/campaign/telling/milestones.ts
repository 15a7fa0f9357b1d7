import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import type { Campaigns } from "../../log/aggregates.ts";
import type { Logger } from "../../ports/logger.ts";

/**
 * The same campaigns, with a line of the log for each milestone. The process that appended it tells it, so
 * that several processes tell it once. How far a campaign is, is asked only when it may be half done.
 */
export function withMilestones(campaigns: Campaigns, logger: Logger): Campaigns {
  /** How many outcomes are missing to half of it; Infinity: half is told. */
  const untilHalf = new Map<CampaignId, number>();
  const look = (campaignId: CampaignId, { done, total }: Done, outcomes: number) => {
    const half = Math.ceil(total / 2);
    const isFirstLook = !untilHalf.has(campaignId);
    untilHalf.set(campaignId, done < half ? half - done : Number.POSITIVE_INFINITY);
    // Before the first look of this process another one may have told it.
    const wasTold = isFirstLook && done - outcomes >= half;
    if (done >= half && done < total && !wasTold)
      logger.info({ campaignId, done, total }, "half of a campaign is done");
  };
  return {
    ...campaigns,
    handle: async (stream, commands, origin, options) => {
      const handled = await campaigns.handle(stream, commands, origin, options);
      for (const event of handled.events) {
        tell(logger, event);
        if (ENDS.has(event.type)) untilHalf.delete(event.data.campaignId);
      }
      const outcomes = handled.events.filter(isOutcome);
      const [first] = outcomes;
      if (first === undefined || handled.events.some(({ type }) => ENDS.has(type))) return handled;
      const { campaignId } = first.data;
      const missing = untilHalf.get(campaignId);
      if (missing !== undefined) untilHalf.set(campaignId, missing - outcomes.length);
      if (missing === undefined || missing <= outcomes.length)
        void campaigns
          .query(stream, doneOf)
          .then((seen) => look(campaignId, seen, outcomes.length))
          .catch(() => undefined); // its runner reports what cannot be read
      return handled;
    },
  };
}

const ENDS: ReadonlySet<CampaignEvent["type"]> = new Set(["CampaignCompleted", "CampaignCancelled"]);

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
