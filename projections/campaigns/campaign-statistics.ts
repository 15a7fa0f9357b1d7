import type { CampaignStatisticsRecord } from "../../contract/campaign.ts";
import { END_REASONS, type EndReason } from "../../domain/call/end-reason.ts";
import type {
  CampaignEvent,
  ContactDialed,
  ContactSkipped,
  ContactSucceeded,
} from "../../domain/campaign/events.ts";
import { type CreditUnits, unitsToCredits } from "../../domain/shared/credits.ts";

/** Contacts of a campaign by status; they always add up to the sealed contacts. */
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
  /** Ended attempts by end reason; only reasons that occurred. */
  readonly endReasons: Readonly<Partial<Record<EndReason, number>>>;
  /** Over all ended attempts, also failed ones. */
  readonly talkSeconds: number;
  /** Over all ended attempts; null once an attempt has no stored cost. */
  readonly cost: CreditUnits | null;
  /** Contacts that asked never to be called again; absent in rows from before, and while there is none. */
  readonly optedOut?: number;
  /** How many of `waitingRetry` wait for a callback; absent in rows from before, and while there is none. */
  readonly callbacks?: number;
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
  endReasons: {},
  talkSeconds: 0,
  cost: 0,
};

/**
 * Counts without knowing the single contacts, because the events say enough: attempt 1 takes a contact never
 * called, a later one a waiting one; the outcome of a skip says which status the contact had.
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
        : { ...waitsNoMore(tally, event.data), dialing: tally.dialing + 1 };
    case "ContactSucceeded":
      return {
        ...ended(completed(tally, event.data), event.data),
        dialing: tally.dialing - 1,
        succeeded: tally.succeeded + 1,
      };
    case "ContactCallbackScheduled":
      return {
        ...ended(isCompleted(event.data) ? completed(tally, event.data) : tally, event.data),
        dialing: tally.dialing - 1,
        waitingRetry: tally.waitingRetry + 1,
        callbacks: (tally.callbacks ?? 0) + 1,
      };
    case "ContactAttemptFailed":
      return event.data.retryAt === null
        ? { ...ended(tally, event.data), dialing: tally.dialing - 1, failed: tally.failed + 1 }
        : { ...ended(tally, event.data), dialing: tally.dialing - 1, waitingRetry: tally.waitingRetry + 1 };
    case "ContactSkipped":
      return skipped(tally, event.data);
    case "CampaignCancelled":
      return {
        ...tally,
        pending: 0,
        waitingRetry: 0,
        ...(tally.callbacks === undefined ? {} : { callbacks: 0 }),
        skipped: tally.skipped + tally.pending,
        failed: tally.failed + tally.waitingRetry,
      };
    default:
      return tally;
  }
}

/** A contact that waited for a retry or a callback waits no more. */
function waitsNoMore(
  tally: CampaignTally,
  { waitedForCallback }: Pick<ContactDialed["data"], "waitedForCallback">,
): CampaignTally {
  const callbacks = waitedForCallback === true ? { callbacks: (tally.callbacks ?? 0) - 1 } : {};
  return { ...tally, waitingRetry: tally.waitingRetry - 1, ...callbacks };
}

type AttemptEnd = Pick<ContactSucceeded["data"], "endReason" | "durationSeconds" | "cost" | "optedOut">;

function isCompleted({ endReason }: AttemptEnd): boolean {
  return END_REASONS[endReason].status === "completed";
}

function completed(tally: CampaignTally, { durationSeconds }: AttemptEnd): CampaignTally {
  const completedSeconds = tally.completedSeconds + (durationSeconds ?? 0);
  return { ...tally, completedCalls: tally.completedCalls + 1, completedSeconds };
}

/** After an opt-out no attempt follows, so attempts with one are contacts with one. */
function ended(
  tally: CampaignTally,
  { endReason, durationSeconds, cost, optedOut }: AttemptEnd,
): CampaignTally {
  return {
    ...tally,
    ...(optedOut === true ? { optedOut: (tally.optedOut ?? 0) + 1 } : {}),
    endReasons: { ...tally.endReasons, [endReason]: (tally.endReasons[endReason] ?? 0) + 1 },
    talkSeconds: tally.talkSeconds + (durationSeconds ?? 0),
    cost: tally.cost === null || cost === undefined ? null : tally.cost + cost,
  };
}

/**
 * A call that a restored log does not know is an attempt without a charge. For a contact in a
 * call it ends that call.
 */
const UNKNOWN_CALL: AttemptEnd = { endReason: "outcome_unknown", durationSeconds: null, cost: 0 };

function skipped(before: CampaignTally, skip: ContactSkipped["data"]): CampaignTally {
  const { outcome, unknownCall } = skip;
  const isAttempt = unknownCall !== undefined && unknownCall.contactWas !== "dialing";
  const tally = isAttempt ? ended(before, UNKNOWN_CALL) : before;
  if (unknownCall?.contactWas === "pending")
    return { ...tally, pending: tally.pending - 1, failed: tally.failed + 1 };
  if (outcome === "skipped") return { ...tally, pending: tally.pending - 1, skipped: tally.skipped + 1 };
  if (outcome === "failed") return { ...waitsNoMore(tally, skip), failed: tally.failed + 1 };
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

/**
 * The seed's statistics object and its additions. `pendingContacts` are all contacts still to be called,
 * those waiting for a retry included.
 */
export function statisticsOf(tally: CampaignTally): CampaignStatisticsRecord {
  const { completedCalls, completedSeconds, endReasons } = tally;
  return {
    totalContacts: totalOf(tally),
    pendingContacts: tally.pending + tally.waitingRetry,
    successfulCalls: tally.succeeded,
    failedCalls: tally.failed,
    waitingRetry: tally.waitingRetry,
    attempts: Object.values(endReasons).reduce((sum, count) => sum + count, tally.dialing),
    byEndReason: endReasons,
    talkSeconds: wholeMillis(tally.talkSeconds),
    cost: tally.cost === null ? null : unitsToCredits(tally.cost),
    averageCallDuration: completedCalls === 0 ? null : completedSeconds / completedCalls,
    optedOut: tally.optedOut ?? 0,
    callbacks: tally.callbacks ?? 0,
  };
}

/** Sums of fractions drift, so durations are in whole milliseconds. */
function wholeMillis(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
