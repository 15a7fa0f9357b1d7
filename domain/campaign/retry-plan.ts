import type { EndReason } from "../call/end-reason.ts";
import { type Instant, plusMillis } from "../shared/instant.ts";
import type { CampaignSettings, RetryPlanRow } from "./settings.ts";
import { openingOnLaterDate } from "./window/call-window.ts";

const MINUTE_MILLIS = 60_000;

/** The contact's failed attempt: when it ended, and the zone in which its dates count. */
export type PlannedAttempt = {
  readonly endReason: EndReason;
  readonly endedAt: Instant;
  readonly timezone: string;
  /** How many attempts of the contact failed with one of these ends, this one included. */
  readonly failuresOf: (endReasons: readonly EndReason[]) => number;
};

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
