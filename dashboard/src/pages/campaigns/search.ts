import type { CampaignRecord } from "../../../../contract/campaign.ts";

type CampaignStatus = CampaignRecord["status"];

export const CAMPAIGN_STATUSES = [
  "PENDING",
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "CANCELLED",
] as const satisfies readonly CampaignStatus[];

/** State of the list in the URL. */
export type CampaignsSearch = {
  readonly q?: string | undefined;
  readonly status?: CampaignStatus | undefined;
};

/**
 * A status that there is not is none. Every name is answered: the router keeps what is not named as it was
 * given.
 */
export function campaignsSearch(given: Readonly<Record<string, unknown>>): CampaignsSearch {
  const q = String(given["q"] ?? "");
  const status = CAMPAIGN_STATUSES.find((each) => each === given["status"]);
  return { q: q === "" ? undefined : q, status };
}
