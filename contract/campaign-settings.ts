import { z } from "zod";
import type { EndReason } from "../domain/call/end-reason.ts";
import {
  HOURS_DIFFER,
  WINDOW_RULES,
  type WindowFields,
  type WindowRule,
} from "../domain/campaign/window/window-fields.ts";
import { endReason, retriedEndReason } from "./call.ts";
import { eligibilityCheck, shownEligibilityCheck } from "./eligibility.ts";
import {
  count,
  customObject,
  type DeepReadonly,
  greeting,
  instant,
  instantInput,
  instructions,
  isoDate,
  phoneNumberId,
  reference,
  text,
  timezone,
  wholeNumber,
} from "./fields.ts";
import { retryPlan, shownRetryPlan, withFittingPlan } from "./retry-plan.ts";

// The settings of a campaign: as they are given, as they are changed, and as its record shows them.

const NAME = "Name of the campaign, 1 to 255 characters";
const MAX_CALLS = "Number of calls at once, at most; null: as many as the plan allows";
const MAX_RETRIES = "Number of further attempts after the first one fails; null: 3";
const RETRY_INTERVAL = "Minutes from the end of a failed attempt to the next one; null: 5";
const RETRY_ON =
  "Ends of a call after which the contact is called again; an empty list: none. An attempt that the carrier never had (`not_placed`) is repeated whatever it says";
const ELIGIBILITY =
  "Who is asked, seconds before each dial, whether the person may be called, in place of the policy's; null: whom the policy asks";
const TIMEZONE = "IANA time zone in which the call window is judged; a contact's own goes before it";

/**
 * Calls a second; one call in twelve days. With a smaller number the time of the next call would
 * not be representable.
 */
const SLOWEST = 0.000_001;
const FASTEST = 1_000_000;

const MAX_EXCLUDED_DATES = 100;
const hour = wholeNumber(0, 23);
const minute = wholeNumber(0, 59);
const days = z
  .array(wholeNumber(1, 7))
  .min(1, "Must name at least one day; null: every day")
  .refine((list) => new Set(list).size === list.length, { message: "Must name each day once" })
  .meta({ uniqueItems: true });
const dates = z.array(isoDate).max(MAX_EXCLUDED_DATES, `Must have at most ${MAX_EXCLUDED_DATES} dates`);

/** Of every call window: hours, minutes, weekdays, dates. */
export const callWindowParts = { hour, minute, days, dates };

const windowFields = {
  callWindowStart: hour
    .nullable()
    .optional()
    .describe("Local hour at which the window opens; null: people are called at any hour"),
  callWindowEnd: hour
    .nullable()
    .optional()
    .describe("Local hour at which it closes, not the start hour; an earlier one: overnight"),
  callWindowStartMinute: minute
    .optional()
    .describe("Minutes after callWindowStart, 0 unless given; only with hours"),
  callWindowEndMinute: minute
    .optional()
    .describe("Minutes after callWindowEnd, 0 unless given; only with hours"),
  callWindowDays: days
    .nullable()
    .meta({
      description:
        "ISO weekdays on which a window may begin, 1 Monday to 7 Sunday; null: every day. Without hours: whole days",
      examples: [[1, 2, 3, 4, 5]],
    })
    .optional(),
  callWindowExcludedDates: dates
    .meta({
      description:
        "Local dates of each contact on which nobody is called, nor in the rest of a window that began on one of them",
      examples: [["2026-12-25"]],
    })
    .optional(),
} satisfies Record<keyof WindowFields, z.ZodType>;

/** What may be given, and changed later. */
const settingsFields = {
  name: text(1, 255).describe(NAME),
  maxConcurrentCalls: wholeNumber(1, 1_000_000).nullable().optional().describe(MAX_CALLS),
  maxCallsPerSecond: z
    .number()
    .refine((value) => value >= SLOWEST && value <= FASTEST, {
      message: "Must be from 0.000001 to 1000000",
    })
    .meta({ minimum: SLOWEST, maximum: FASTEST })
    .nullable()
    .optional()
    .describe("New calls a second, at most; null: as many as the plan allows"),
  maxRetries: wholeNumber(1, 10).nullable().optional().describe(MAX_RETRIES),
  retryIntervalMins: wholeNumber(1, 1440).nullable().optional().describe(RETRY_INTERVAL),
  retryOn: z.array(retriedEndReason).max(50).optional().describe(RETRY_ON),
  retryPlan,
  timezone: timezone.optional().describe(TIMEZONE),
  ...windowFields,
  startAt: instantInput
    .nullable()
    .optional()
    .describe(
      "When the campaign starts by itself while it is PENDING: ISO 8601 with an offset, at most a year ahead, at most 60 seconds in the past. null: when it is started. It changes only while PENDING.",
    ),
  eligibility: eligibilityCheck.nullable().optional().describe(ELIGIBILITY),
};

/** What an estimate of hours and credits goes by, and what is checked beside it. */
export const paceFields = {
  maxConcurrentCalls: settingsFields.maxConcurrentCalls,
  maxCallsPerSecond: settingsFields.maxCallsPerSecond,
  retryOn: settingsFields.retryOn,
  retryPlan,
  timezone: settingsFields.timezone,
  ...windowFields,
  startAt: settingsFields.startAt.describe(
    "When the campaign would start: ISO 8601 with an offset; null: now",
  ),
};

/** The same in the record. */
export const shownSettings = {
  name: z.string().describe(NAME),
  maxConcurrentCalls: count.nullable().describe(MAX_CALLS),
  maxRetries: count.nullable().describe(MAX_RETRIES),
  retryIntervalMins: count.nullable().describe(RETRY_INTERVAL),
  retryOn: z.array(endReason).describe(RETRY_ON),
  retryPlan: shownRetryPlan,
  timezone: z.string().describe(TIMEZONE),
  callWindowStart: count
    .nullable()
    .describe("First hour (0 to 23, local) in which people may be called; null: at any time"),
  callWindowEnd: count
    .nullable()
    .describe("Hour (0 to 23, local) from which nobody is called any more; null: at any time"),
  callWindowStartMinute: count.describe("Minutes after callWindowStart at which the window opens"),
  callWindowEndMinute: count.describe("Minutes after callWindowEnd at which it closes"),
  callWindowDays: z.array(count).nullable().describe("ISO weekdays in order, null: every day"),
  callWindowExcludedDates: z
    .array(z.string().meta({ format: "date" }))
    .describe("Local dates of each contact on which nobody is called"),
  startAt: instant
    .nullable()
    .describe("When it starts by itself while it is PENDING, as given; null: when it is started"),
  eligibility: shownEligibilityCheck.nullable().describe(ELIGIBILITY),
};

const EXAMPLE_SETTINGS = {
  name: "September reminders",
  maxConcurrentCalls: 5,
  maxRetries: 2,
  timezone: "Europe/Istanbul",
  callWindowStart: 9,
  callWindowEnd: 18,
  callWindowEndMinute: 30,
  callWindowDays: [1, 2, 3, 4, 5],
  callWindowExcludedDates: ["2026-12-25"],
};

export const EXAMPLE_SHOWN = {
  ...EXAMPLE_SETTINGS,
  retryIntervalMins: null,
  retryOn: ["busy", "no_answer"] satisfies EndReason[],
  retryPlan: [{ endReasons: ["busy" as const], afterMins: [10, 30], sameDay: true }],
  callWindowStartMinute: 0,
  startAt: null,
  eligibility: null,
};

// Texts that are filled, of a campaign and of a preview.
export const greetingTemplate = greeting
  .nullish()
  .describe(
    "The first words; {{name}} is filled from each contact, {{name|there}} says `there` where it is missing or blank; at most 4 KiB",
  );
export const instructionsTemplate = instructions
  .nullish()
  .describe(
    "Instructions; {{key}} is filled from each contact's customData, {{key|text}} has a fallback; at most 32 KiB",
  );

export const skipDuplicates = z
  .boolean()
  .optional()
  .describe("true: of equal numbers only the first is called (default false)");

/** Everything of a new campaign but its contacts. */
export const campaignFields = {
  ...settingsFields,
  phoneNumberId: reference.describe(phoneNumberId.description ?? ""),
  assistantId: reference.describe("Id of a published assistant; its version of now stays this campaign's"),
  squadId: reference
    .nullish()
    .describe("Id of a squad; `assistantId` is then one of its members and speaks first"),
  greetingMessage: greetingTemplate,
  specialInstructions: instructionsTemplate,
  metadata: customObject()
    .nullish()
    .describe("A JSON object of your own, at most 16 KiB; it comes back in every call and webhook"),
  ringTimeoutSeconds: wholeNumber(10, 120).optional().describe("Seconds that it may ring (default 60)"),
  skipDuplicates,
};

export const EXAMPLE_CAMPAIGN = {
  ...EXAMPLE_SETTINGS,
  phoneNumberId: "pn_01k4b2s9h3e8t9v0w1x2y3z4a5",
  assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
  greetingMessage: "Hello {{name}}!",
  specialInstructions: "The appointment is on {{date}}.",
};

/** As it is once it is checked, except its window: `WindowFields` of the domain. */
export type CampaignRequest = DeepReadonly<
  Omit<z.output<z.ZodObject<typeof campaignFields>>, keyof WindowFields>
>;

/** A body with the whole window of a campaign, and its whole plan of retries. */
export function withWholeSettings<Body extends z.ZodType>(body: Body): Body {
  return withFittingPlan(WINDOW_RULES.reduce(withRule, body));
}

/**
 * Rules between two fields are checked even if other fields are invalid, so that all problems
 * are reported at once.
 */
function withRule<Body extends z.ZodType>(body: Body, { path, message, holds }: WindowRule): Body {
  const isGiven = (value: unknown) => typeof value === "object" && value !== null;
  return body.refine((value) => !isGiven(value) || holds(value), { message, path: [path], when: () => true });
}

/** A part of a window is merged with the current one; the route checks the result. */
export const changeCampaignBody = withRule(
  z.strictObject({
    ...settingsFields,
    name: settingsFields.name.optional(),
    phoneNumberId: reference.optional().describe(phoneNumberId.description ?? ""),
    assistantId: reference
      .optional()
      .describe(
        "Id of a published assistant; its version of now becomes this campaign's, also of the one that it has",
      ),
    squadId: reference
      .nullish()
      .describe(
        "Id of a squad that the assistant is a member of, null: none; its members of now become this campaign's",
      ),
    greetingMessage: greetingTemplate.describe(
      "The first words, filled as those of a new campaign; null: the assistant's own",
    ),
    specialInstructions: instructionsTemplate.describe(
      "Instructions, filled as those of a new campaign; null: none",
    ),
  }),
  HOURS_DIFFER,
).meta({
  id: "CampaignChanges",
  examples: [
    {
      maxConcurrentCalls: 20,
      callWindowStart: 10,
      callWindowEnd: 17,
      callWindowDays: null,
      greetingMessage: "Hello {{name|there}}!",
    },
  ],
});
