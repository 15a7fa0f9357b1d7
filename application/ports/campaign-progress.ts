import type { CampaignProgress } from "../../domain/campaign/progress.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export type ProgressReport = CampaignProgress & { readonly campaignId: CampaignId; readonly owner: OwnerId };

/** How campaigns stand, as the processes that run them report it. No event: what is lost is reported again a second later. */
export interface CampaignProgressReports {
  /** Each report takes the place of the campaign's last one. */
  write(reports: readonly ProgressReport[]): Promise<void>;
  /** The last report, unless it is older than 5 s by the clock of the database; null too for a campaign that this owner does not have. */
  find(owner: OwnerId, id: CampaignId): Promise<(CampaignProgress & { readonly asOf: Instant }) | null>;
}
