import type { CampaignStatus } from "../../api/campaigns.ts";

export const CAMPAIGN_STATUSES = [
  "PENDING",
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "CANCELLED",
] as const satisfies readonly CampaignStatus[];

/** State of the list in the URL. */
export type CampaignsSearch = { readonly q?: string; readonly status?: CampaignStatus };

/** A status that there is not is none. */
export function campaignsSearch(given: Readonly<Record<string, unknown>>): CampaignsSearch {
  const q = String(given["q"] ?? "");
  const status = CAMPAIGN_STATUSES.find((each) => each === given["status"]);
  return { ...(q === "" ? {} : { q }), ...(status === undefined ? {} : { status }) };
}
