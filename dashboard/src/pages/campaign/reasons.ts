import type { CampaignRecord } from "../../../../contract/campaign.ts";

type PauseReason = NonNullable<CampaignRecord["pauseReason"]>;
const PAUSE_REASONS = [
  "manual",
  "phone_number_inactive",
  "assistant_unpublished",
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
  "policy_refuses_all",
  "list_outdated",
  "eligibility_unavailable",
] as const satisfies readonly PauseReason[];

export function isPauseReason(text: string): text is PauseReason {
  return PAUSE_REASONS.some((each) => each === text);
}
