import { type EndReason, RETRIED_END_REASONS } from "../call/end-reason.ts";
import { type Instant, plusMillis } from "../shared/instant.ts";
import { openingOnLaterDate } from "../window/call-window.ts";
import type { CampaignSettings, RetryPlanRow } from "./settings.ts";

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

/** The contact's failed attempt: when it ended, and the zone in which its dates count. */
export type PlannedAttempt = {
  readonly endReason: EndReason;
  readonly endedAt: Instant;
  readonly timezone: string;
  /** How many attempts of the contact failed with one of these ends, this one included. */
  readonly failuresOf: (endReasons: readonly EndReason[]) => number;
};

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

/**
 * How many attempts a contact may have by now: the budget, and its `free` ones, which the carrier never had
 * or which agreed a callback.
 */
export function maxAttempts(rules: RetryRules, free: number): number {
  return attemptBudget(rules) + free;
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

/** A retry by a row of the plan, counted from 0; `retryIntervalMillis`: the wait of the row, at least. */
export type PlannedRetry = {
  readonly retryAt: Instant;
  readonly retryIntervalMillis: number;
  readonly planRow: number;
};

/** null: no row of the plan names the end of the attempt. */
export function plannedRetry(
  { retryPlan, window }: Pick<CampaignSettings, "retryPlan" | "window">,
  { endReason, endedAt, timezone, failuresOf }: PlannedAttempt,
): PlannedRetry | null {
  const planRow = retryPlan?.findIndex(({ endReasons }) => endReasons.includes(endReason)) ?? -1;
  const row = retryPlan?.[planRow];
  if (row === undefined) return null;
  const { afterMins, endReasons, sameDay } = row;
  const minutes = afterMins[failuresOf(endReasons) - 1] ?? afterMins.at(-1) ?? 0;
  const retryIntervalMillis = minutes * MINUTE_MILLIS;
  const earliest = plusMillis(endedAt, retryIntervalMillis);
  const retryAt = sameDay ? earliest : onLaterDate(timezone, window, endedAt, earliest);
  return { retryAt, retryIntervalMillis, planRow };
}

/** `earliest` where no window opens (any more): whoever waits for one is not called before. */
export function onLaterDate(
  timezone: string,
  window: CampaignSettings["window"],
  endedAt: Instant,
  earliest: Instant,
): Instant {
  const opening = window === null ? null : openingOnLaterDate(timezone, window, endedAt, earliest);
  return opening ?? earliest;
}

export type PlanProblem = { readonly path: readonly (string | number)[]; readonly message: string };

/** What of a plan does not fit the other settings; paths within the plan. */
export function planProblems(
  plan: readonly RetryPlanRow[],
  { retryOn, hasWindow }: { readonly retryOn: readonly EndReason[]; readonly hasWindow: boolean },
): readonly PlanProblem[] {
  return plan.flatMap(({ endReasons, sameDay }, row) => [
    ...endReasons.flatMap((endReason, index) =>
      retryOn.includes(endReason)
        ? []
        : [
            {
              path: [row, "endReasons", index],
              message: `retryOn does not have ${endReason}, which the plan names`,
            },
          ],
    ),
    ...(sameDay || hasWindow ? [] : [{ path: [row, "sameDay"], message: "A later day needs a call window" }]),
  ]);
}
