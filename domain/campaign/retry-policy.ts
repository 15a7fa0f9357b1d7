import type { EndReason } from "../call/end-reason.ts";
import { type Instant, plusMillis } from "../shared/instant.ts";
import type { CampaignSettings } from "./settings.ts";

export const DEFAULT_MAX_RETRIES = 3;
export const DEFAULT_RETRY_INTERVAL_MINS = 5;
const MINUTE_MILLIS = 60_000;
/** An attempt that the carrier never had is repeated so much later at the earliest, and so often at the most. */
const NOT_PLACED_PAUSE_MILLIS = 30_000;
const MAX_NOT_PLACED = 10;

export type RetryRules = Pick<CampaignSettings, "maxRetries" | "retryIntervalMins" | "retryOn">;

/** A failed attempt: `counted`, `notPlaced` and `assistantErrors` are the contact's attempts so far, this one included. */
export type FailedAttempt = {
  readonly endReason: EndReason;
  readonly endedAt: Instant;
  readonly counted: number;
  readonly notPlaced: number;
  /** Those that ended because the assistant failed. */
  readonly assistantErrors: number;
};

/** Attempts that do not use up the budget: nobody was rung. */
export function isFree(endReason: EndReason): boolean {
  return endReason === "not_placed";
}

/** Retried once a contact, whatever the budget says: it was our fault, and may be so again. */
export function isOnce(endReason: EndReason): boolean {
  return endReason === "assistant_error";
}

/** One budget per contact: the first attempt and its retries. */
export function attemptBudget({ maxRetries }: RetryRules): number {
  return 1 + (maxRetries ?? DEFAULT_MAX_RETRIES);
}

/** How many attempts a contact can have by now: its free ones come on top of the budget. */
export function maxAttempts(rules: RetryRules, notPlaced: number): number {
  return attemptBudget(rules) + notPlaced;
}

/** When the contact is due again; null: it is failed for good. */
export function retryAt(rules: RetryRules, attempt: FailedAttempt): Instant | null {
  if (!rules.retryOn.includes(attempt.endReason)) return null;
  if (isFree(attempt.endReason)) {
    return attempt.notPlaced > MAX_NOT_PLACED ? null : plusMillis(attempt.endedAt, NOT_PLACED_PAUSE_MILLIS);
  }
  if (isOnce(attempt.endReason)) {
    return attempt.assistantErrors > 1 ? null : plusMillis(attempt.endedAt, intervalMillis(rules));
  }
  if (attempt.counted >= attemptBudget(rules)) return null;
  return plusMillis(attempt.endedAt, intervalMillis(rules));
}

function intervalMillis({ retryIntervalMins }: RetryRules): number {
  return (retryIntervalMins ?? DEFAULT_RETRY_INTERVAL_MINS) * MINUTE_MILLIS;
}
