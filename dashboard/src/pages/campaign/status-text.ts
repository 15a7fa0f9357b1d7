import type { CampaignStatus } from "../../api/campaigns.ts";
import type { Say } from "../../texts/language.tsx";

type StatusKey = `status.${CampaignStatus}`;

export const statusText = (say: Say<StatusKey>, status: CampaignStatus): string => say(`status.${status}`);
