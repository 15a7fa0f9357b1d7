import type { CampaignProgress } from "../../domain/campaign/progress.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export type ProgressReport = CampaignProgress & { readonly campaignId: CampaignId; readonly owner: OwnerId };

/**
 * Progress of campaigns, reported by the processes that run them. Not stored as events: a lost report is
 * repeated a second later.
 */
export interface CampaignProgressReports {
  /** Each report replaces the campaign's last one. */
  write(reports: readonly ProgressReport[]): Promise<void>;
  /**
   * The last report, unless it is older than 5 s by the database's clock; null also for a campaign that this
   * owner does not have.
   */
  find(owner: OwnerId, id: CampaignId): Promise<(CampaignProgress & { readonly asOf: Instant }) | null>;
}
