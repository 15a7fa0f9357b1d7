import { type EndReason, RETRIED_END_REASONS } from "../call/end-reason.ts";
import { type Instant, plusMillis } from "../shared/instant.ts";
import { type PlannedAttempt, plannedRetry } from "./retry-plan.ts";
import type { CampaignSettings } from "./settings.ts";

export const DEFAULT_MAX_RETRIES = 3;
export const DEFAULT_RETRY_INTERVAL_MINS = 5;
const MINUTE_MILLIS = 60_000;
/**
 * Pause before the repeat of an attempt that the carrier never had, and how many such
 * attempts a contact may have.
 */
const NOT_PLACED_PAUSE_MILLIS = 30_000;
const MAX_NOT_PLACED = 10;

export type RetryRules = Pick<
  CampaignSettings,
  "maxRetries" | "retryIntervalMins" | "retryOn" | "retryPlan" | "window"
>;

/**
 * A failed attempt: `counted`, `notPlaced` and `assistantErrors` are the contact's attempts so
 * far, this one included.
 */
export type FailedAttempt = PlannedAttempt & {
  readonly counted: number;
  readonly notPlaced: number;
  /** Those that ended because of the assistant. */
  readonly assistantErrors: number;
};

/** Attempts that do not use the budget, because nobody was rung. */
export function isFree(endReason: EndReason): boolean {
  return endReason === "not_placed";
}

/** Retried once a contact, whatever the budget is: it was our fault, and may happen again. */
export function isOnce(endReason: EndReason): boolean {
  return endReason === "assistant_error";
}

/** Ends that a plan may name: the others have a wait, or a limit, of their own. */
export const PLANNED_END_REASONS: readonly EndReason[] = RETRIED_END_REASONS.filter(
  (endReason) => !isFree(endReason) && !isOnce(endReason),
);

/** One budget for each contact: the first attempt and its retries. */
export function attemptBudget({ maxRetries }: RetryRules): number {
  return 1 + (maxRetries ?? DEFAULT_MAX_RETRIES);
}

/** How many attempts a contact may have by now: the budget and its free ones. */
export function maxAttempts(rules: RetryRules, notPlaced: number): number {
  return attemptBudget(rules) + notPlaced;
}

/** When the contact is due again; `retryAt` null: it has failed for good. */
export type Retry = {
  readonly retryAt: Instant | null;
  /** Both only of a retry by a row of the plan. */
  readonly retryIntervalMillis?: number;
  readonly planRow?: number;
};

const NO_RETRY: Retry = { retryAt: null };

/**
 * `retryOn` says which people are called again who were called: an attempt that the carrier never had called
 * nobody. The plan says when, never how often.
 */
export function retryAfter(rules: RetryRules, attempt: FailedAttempt): Retry {
  const { endReason, endedAt } = attempt;
  if (isFree(endReason))
    return attempt.notPlaced > MAX_NOT_PLACED ? NO_RETRY : waiting(endedAt, NOT_PLACED_PAUSE_MILLIS);
  if (!rules.retryOn.includes(endReason)) return NO_RETRY;
  if (isOnce(endReason))
    return attempt.assistantErrors > 1 ? NO_RETRY : waiting(endedAt, intervalMillis(rules));
  if (attempt.counted >= attemptBudget(rules)) return NO_RETRY;
  return plannedRetry(rules, attempt) ?? waiting(endedAt, intervalMillis(rules));
}

function waiting(endedAt: Instant, millis: number): Retry {
  return { retryAt: plusMillis(endedAt, millis) };
}

function intervalMillis({ retryIntervalMins }: RetryRules): number {
  return (retryIntervalMins ?? DEFAULT_RETRY_INTERVAL_MINS) * MINUTE_MILLIS;
}
