import type { CampaignId } from "../../domain/shared/ids.ts";
import type { CampaignWithStatistics } from "./queries/campaign-records.ts";

/** What a campaign looked like at a moment of its history, folded from the log: never behind, and the same whenever it is asked. */
export interface CampaignMoments {
  /** Right after the event with this revision; null: the campaign was not created by then. Rejects as the log does. */
  rightAfter(id: CampaignId, revision: number): Promise<CampaignWithStatistics | null>;
}
