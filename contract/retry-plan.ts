import { z } from "zod";
import { type EndReason, isEndReason, RETRIED_END_REASONS } from "../domain/call/end-reason.ts";
import { PLANNED_END_REASONS, planProblems } from "../domain/campaign/retry-policy.ts";
import type { RetryPlanRow } from "../domain/campaign/settings.ts";
import { type GivenWindow, restricts } from "../domain/campaign/window/window-fields.ts";
import { endReason, retriedEndReason } from "./call.ts";
import { count, wholeNumber } from "./fields.ts";

// When contacts are called again after which end: a part of the settings of a campaign.

const MOST_ROWS = 10;
const MOST_WAITS = 10;
/** A week. */
const LONGEST_WAIT_MINS = 10_080;

const PLAN =
  "When contacts are called again, by the end of their attempt; ends that it does not name follow retryIntervalMins, and maxRetries stays the one budget. null or an empty list: no plan";
const END_REASONS =
  "Ends of a call that the row is for; each is in retryOn, and in one row. `not_placed` and `assistant_error` are in none";
const AFTER_MINS =
  "Minutes from the end of the n-th attempt that failed with an end of the row to the next attempt; the last one holds for all later ones";
const SAME_DAY =
  "false: in a call window that begins on a later local date of the contact, and after these minutes at the earliest";

const plannedEnd = retriedEndReason.superRefine((reason, context) => {
  if (PLANNED_END_REASONS.includes(reason)) return;
  const message = `${reason} has a repetition of its own, which no row changes`;
  context.addIssue({ code: "custom", message });
});

const row = z.strictObject({
  endReasons: z
    .array(plannedEnd)
    .min(1, "Must name at least one end of a call")
    .max(50)
    .describe(END_REASONS),
  afterMins: z
    .array(wholeNumber(1, LONGEST_WAIT_MINS))
    .min(1, "Must have 1 to 10 numbers of minutes")
    .max(MOST_WAITS, "Must have 1 to 10 numbers of minutes")
    .describe(AFTER_MINS),
  sameDay: z.boolean().default(true).describe(SAME_DAY),
});

const rows = z
  .array(row)
  .max(MOST_ROWS, `Must have at most ${MOST_ROWS} rows`)
  .superRefine((plan, context) => {
    const seen = new Set<EndReason>();
    for (const [place, { endReasons }] of plan.entries())
      for (const [index, reason] of endReasons.entries()) {
        if (seen.has(reason))
          context.addIssue({
            code: "custom",
            message: `${reason} stands in the plan already`,
            path: [place, "endReasons", index],
          });
        seen.add(reason);
      }
  })
  .transform((plan) => (plan.length === 0 ? null : plan))
  .nullable();

const EXAMPLE = [
  { endReasons: ["busy"], afterMins: [10, 30], sameDay: true },
  { endReasons: ["no_answer"], afterMins: [60], sameDay: false },
] satisfies z.input<typeof rows>;

export const retryPlan = rows.optional().meta({ description: PLAN, examples: [EXAMPLE] });

/** The same in the record. */
export const shownRetryPlan = z
  .array(
    z.object({
      endReasons: z.array(endReason).describe(END_REASONS),
      afterMins: z.array(count).describe(AFTER_MINS),
      sameDay: z.boolean().describe(SAME_DAY),
    }),
  )
  .describe(PLAN);

/**
 * A body with the whole settings of a campaign, whose plan must fit its window and its `retryOn`. Checked
 * even if other fields are invalid, so that all problems are reported at once.
 */
export function withFittingPlan<Body extends z.ZodType>(body: Body): Body {
  return body.superRefine(
    (value, context) => {
      for (const { path, message } of problemsOf(value))
        context.addIssue({ code: "custom", message, path: ["retryPlan", ...path] });
    },
    { when: () => true },
  );
}

/** In place of one that cannot be read: what is wrong with it is told at its own fields. */
const NO_ROW: RetryPlanRow = { endReasons: [], afterMins: [], sameDay: true };

function problemsOf(body: unknown) {
  if (typeof body !== "object" || body === null) return [];
  const given: { readonly retryPlan?: unknown; readonly retryOn?: unknown } & GivenWindow = body;
  const { retryOn, retryPlan: plan } = given;
  if (!Array.isArray(plan)) return [];
  const readable = plan.slice(0, MOST_ROWS).map((each) => row.safeParse(each).data ?? NO_ROW);
  const named = Array.isArray(retryOn) ? retryOn.filter((each) => isEndReason(String(each))) : null;
  return planProblems(readable, {
    retryOn: named ?? RETRIED_END_REASONS,
    hasWindow: restricts(given),
  });
}
