import type { CampaignId } from "../shared/ids.ts";
import { availableCredits, type OwnerBook } from "./owner-book.ts";

/**
 * The campaign wants nothing for now. It is still woken when missing credits arrive, but not for credits that
 * are there already: a campaign that withdraws when it is woken would be woken by that for ever.
 */
export function withdraw(book: OwnerBook, campaignId: CampaignId): void {
  const demand = book.demands.get(campaignId);
  if (demand === undefined) return;
  demand.wanted = 0;
  demand.waitsFor = null;
  book.shared.waiters.delete(campaignId);
  if (demand.creditsWanted !== null && availableCredits(book) >= demand.creditsWanted)
    demand.creditsWanted = null;
}
