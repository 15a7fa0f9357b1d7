import { expect, it } from "vitest";
import { withMilestones } from "../../../../application/campaign/telling/milestones.ts";
import type { Campaigns } from "../../../../application/log/aggregates.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../../domain/campaign/state.ts";
import { recordingLogger } from "../../../support/recording-logger.ts";

const CAMPAIGN = { campaignId: "cmp_1" } as const;

it("the process that appended a milestone of a campaign tells it in one line, half of it once", async () => {
  const { logger, lines } = recordingLogger();
  let succeeded = 0;
  let next: unknown[] = [];
  const inner = {
    handle: async () => ({ events: next }),
    query: async (_stream: string, read: (state: CampaignState) => unknown) =>
      read({
        counts: { pending: 6 - succeeded, succeeded, failed: 0, skipped: 0 },
      } as unknown as CampaignState),
  } as unknown as Campaigns;
  const campaigns = withMilestones(inner, logger);
  const appended = async (...events: unknown[]) => {
    next = events;
    await campaigns.handle("campaign-cmp_1", [], {
      owner: "usr_1",
      actor: "key_1",
      correlationId: "one",
      causationId: null,
    });
  };
  const event = (type: CampaignEvent["type"], more = {}) => ({ type, data: { ...CAMPAIGN, ...more } });
  await appended(event("CampaignStarted"));
  for (succeeded = 1; succeeded <= 5; succeeded += 1) await appended(event("ContactSucceeded"));
  await appended(event("CampaignPaused", { reason: "insufficient_credits" }));
  await appended(event("CampaignCompleted"));
  expect(lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
    ["info", "campaign started", CAMPAIGN],
    ["info", "half of a campaign is done", { ...CAMPAIGN, done: 3, total: 6 }],
    ["info", "campaign paused", { ...CAMPAIGN, reason: "insufficient_credits" }],
    ["info", "campaign finished", CAMPAIGN],
  ]);
});
