import type { CampaignStatisticsRecord } from "../../application/ports/queries/campaign-records.ts";
import type { CampaignEvent, ContactSkipped } from "../../domain/campaign/events.ts";

/** Contacts of a campaign by what is to happen to them; they always add up to the contacts that were sealed. */
export type CampaignTally = {
  /** Never called. */
  readonly pending: number;
  readonly waitingRetry: number;
  readonly dialing: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly skipped: number;
  readonly completedCalls: number;
  readonly completedSeconds: number;
};

export const EMPTY_TALLY: CampaignTally = {
  pending: 0,
  waitingRetry: 0,
  dialing: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  completedCalls: 0,
  completedSeconds: 0,
};

/**
 * Counts without knowing the single contacts: the events say enough. Attempt 1 leaves the contacts never called, a later one those that wait;
 * a skip's outcome tells where the contact stood.
 */
export function tallyAfter(tally: CampaignTally, event: CampaignEvent): CampaignTally {
  switch (event.type) {
    case "CampaignCreated":
      return { ...tally, pending: tally.pending + event.data.totalContacts };
    case "ContactsAdded":
      return { ...tally, pending: tally.pending + event.data.added };
    case "ContactDialed":
      return event.data.attempt === 1
        ? { ...tally, pending: tally.pending - 1, dialing: tally.dialing + 1 }
        : { ...tally, waitingRetry: tally.waitingRetry - 1, dialing: tally.dialing + 1 };
    case "ContactSucceeded":
      return {
        ...tally,
        dialing: tally.dialing - 1,
        succeeded: tally.succeeded + 1,
        completedCalls: tally.completedCalls + 1,
        completedSeconds: tally.completedSeconds + (event.data.durationSeconds ?? 0),
      };
    case "ContactAttemptFailed":
      return event.data.retryAt === null
        ? { ...tally, dialing: tally.dialing - 1, failed: tally.failed + 1 }
        : { ...tally, dialing: tally.dialing - 1, waitingRetry: tally.waitingRetry + 1 };
    case "ContactSkipped":
      return skipped(tally, event.data);
    case "CampaignCancelled":
      return {
        ...tally,
        pending: 0,
        waitingRetry: 0,
        skipped: tally.skipped + tally.pending,
        failed: tally.failed + tally.waitingRetry,
      };
    default:
      return tally;
  }
}

function skipped(tally: CampaignTally, { outcome, unknownCall }: ContactSkipped["data"]): CampaignTally {
  if (unknownCall?.contactWas === "pending")
    return { ...tally, pending: tally.pending - 1, failed: tally.failed + 1 };
  if (outcome === "skipped") return { ...tally, pending: tally.pending - 1, skipped: tally.skipped + 1 };
  if (outcome === "failed")
    return { ...tally, waitingRetry: tally.waitingRetry - 1, failed: tally.failed + 1 };
  return tally;
}

export function totalOf({
  pending,
  waitingRetry,
  dialing,
  succeeded,
  failed,
  skipped: left,
}: CampaignTally): number {
  return pending + waitingRetry + dialing + succeeded + failed + left;
}

/** The seed's statistics object. `pendingContacts` counts those still to be called, also those waiting for a retry. */
export function statisticsOf(tally: CampaignTally): CampaignStatisticsRecord {
  const { completedCalls, completedSeconds } = tally;
  return {
    totalContacts: totalOf(tally),
    pendingContacts: tally.pending + tally.waitingRetry,
    successfulCalls: tally.succeeded,
    failedCalls: tally.failed,
    waitingRetry: tally.waitingRetry,
    averageCallDuration: completedCalls === 0 ? null : completedSeconds / completedCalls,
  };
}
