import type { CampaignId } from "../../../domain/shared/ids.ts";
import { availableCredits, type OwnerBook } from "./owner-book.ts";

/**
 * The campaign wants nothing for now. Credits that are still missing are told it when they come; those that are there are not: who withdraws
 * because it is woken would be woken by its withdrawing, for ever.
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
