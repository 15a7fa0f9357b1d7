import type { Decider } from "../shared/decider.ts";
import type { CampaignCommand } from "./commands.ts";
import { decideCampaign } from "./decide.ts";
import type { CampaignEvent } from "./events.ts";
import { evolveCampaign } from "./evolve.ts";
import { type CampaignState, initialCampaignState } from "./state.ts";

export const campaignDecider: Decider<CampaignState, CampaignCommand, CampaignEvent> = {
  initialState: initialCampaignState,
  evolve: evolveCampaign,
  decide: decideCampaign,
};
