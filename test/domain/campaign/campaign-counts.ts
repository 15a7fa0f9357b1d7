import type { CampaignState } from "../../../domain/campaign/state.ts";

/** Counts per contact: total = successful + failed + pending + active + skipped, always. */
export type CampaignCounts = {
  readonly totalContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  /** Still to be called, also those waiting for a retry. */
  readonly pendingCalls: number;
  readonly activeCalls: number;
  readonly skippedContacts: number;
  /** Mean seconds of the completed calls; null while there is none. */
  readonly averageCallDuration: number | null;
};

export function campaignCounts({
  counts,
  contacts,
  completedCalls,
  completedSeconds,
}: CampaignState): CampaignCounts {
  return {
    totalContacts: contacts.ids.length,
    successfulCalls: counts.succeeded,
    failedCalls: counts.failed,
    pendingCalls: counts.pending + counts.waiting_retry,
    activeCalls: counts.dialing,
    skippedContacts: counts.skipped,
    averageCallDuration: completedCalls === 0 ? null : completedSeconds / completedCalls,
  };
}
