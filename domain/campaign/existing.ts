import { DomainError } from "../shared/errors.ts";
import type { CampaignId } from "../shared/ids.ts";
import type { CampaignStatus, PauseReason } from "./events.ts";
import type { CampaignSettings } from "./settings.ts";
import type { CampaignState } from "./state.ts";

export type ExistingCampaign = {
  readonly campaignId: CampaignId;
  readonly status: CampaignStatus;
  readonly settings: CampaignSettings;
  readonly pauseReason: PauseReason | null;
};

/** The campaign of a command; it must exist. */
export function existing({ campaignId, status, settings, pauseReason }: CampaignState): ExistingCampaign {
  if (campaignId === null || status === null || settings === null)
    throw new DomainError("campaign.not-found", "There is no such campaign");
  return { campaignId, status, settings, pauseReason };
}
