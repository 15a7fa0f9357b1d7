import type { CampaignId } from "../../domain/shared/ids.ts";
import type { CampaignWithStatistics } from "./queries.ts";

/** A campaign at a moment of its history, folded from the log: never behind, and always the same result. */
export interface CampaignMoments {
  /**
   * State right after the event with this revision; null: the campaign was not created by then.
   * Rejects as the log does.
   */
  rightAfter(id: CampaignId, revision: number): Promise<CampaignWithStatistics | null>;
}
