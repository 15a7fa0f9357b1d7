import { createLazyRoute } from "@tanstack/react-router";
import { CampaignPage } from "./campaign.tsx";

export const campaignRoute = createLazyRoute("/campaigns/$campaignId")({ component: CampaignPage });
