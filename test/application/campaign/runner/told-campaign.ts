import type { OwnedCampaigns } from "../../../../application/campaign/runner/owned-campaigns.ts";
import type { CallEnd } from "../../../../application/campaign/runner/runner-deps.ts";
import type { RunningCampaign } from "../../../../application/campaign/runner/running-campaign.ts";
import type { CampaignId } from "../../../../domain/shared/ids.ts";
import { OWNER } from "../../engine-world.ts";

/** A campaign that does nothing and remembers what it was told. */
export function toldCampaign(campaignId: CampaignId, differing: Partial<RunningCampaign> = {}) {
  const told: string[] = [];
  const ends: CallEnd[] = [];
  const campaign: RunningCampaign = {
    campaignId,
    owner: OWNER,
    ready: Promise.resolve(),
    wake: () => void told.push("wake"),
    isOver: () => false,
    oldestDueSince: () => null,
    lookAfresh: () => void told.push("lookAfresh"),
    callEnded: (end) => void ends.push(end),
    refusal: () => null,
    leftOut: { has: () => false },
    anyCallEnded: () => undefined,
    dialsBegun: async () => void told.push("dialsBegun"),
    stop: () => undefined,
    finished: new Promise(() => undefined),
    ...differing,
  };
  return { campaign, told, ends };
}

/** A process that holds these campaigns and no others. */
export function owning(...campaigns: readonly RunningCampaign[]): OwnedCampaigns {
  return {
    get: (campaignId) => campaigns.find((each) => each.campaignId === campaignId),
    all: () => campaigns,
    adopt: async () => null,
    isUnreadable: () => false,
    whileHeld: async () => null,
    announce: async () => undefined,
    renew: async () => undefined,
    abandonAll: async () => undefined,
    callOwners: new Map(),
  };
}
