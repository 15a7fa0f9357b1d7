import { z } from "zod";
import { HOURS_DIFFER } from "../domain/campaign/window/window-fields.ts";
import { callWindowParts } from "./campaign-settings.ts";
import { eligibilityCheck, shownEligibilityCheck } from "./eligibility.ts";
import {
  answer,
  asItStoodAt,
  count,
  type DeepReadonly,
  instant,
  list,
  pageFields,
  wholeNumber,
} from "./fields.ts";
import { actor } from "./history.ts";
import { routes } from "./route.ts";

const HOURS = "When people may be called where they live; null: at any hour";
const START = "Local hour at which they begin";
const END = "Local hour at which they end; an earlier one: overnight. Both 0, with days or dates: whole days";
const START_MINUTE = "Minutes after `start`; left out: 0";
const END_MINUTE = "Minutes after `end`; left out: 0";
const DAYS = "ISO weekdays on which they may begin, 1 Monday to 7 Sunday; left out: every day";
const DATES = "Local dates on which nobody is called, nor in the rest of hours that began on one of them";
const ATTEMPTS =
  "How often one number may be dialled, by all campaigns and single calls together; null: no limit";
const DAY = "Number of dials of a local day; left out: no limit";
const WEEK = "Number of dials of an ISO week, Monday to Sunday; left out: no limit";
const MONTH = "Number of dials of a month; left out: no limit";
const ONE_CALL = "true: a number that is in a call is not dialled a second time";
const CONSENT = "true: only who has given consent is called; one that has expired counts as none";
const LIST_AGE =
  "Number of days that a registry list may be old, and one must be active; null: no limit. Older: campaigns pause, single calls are refused";
const ELIGIBILITY = "Who is asked, seconds before each dial, whether the person may be called; null: nobody";
const EXCEPT_SINGLE =
  "true: single calls are held to oneCallAtATime and the age of lists only; they count towards the limits all the same";

const { hour, minute, days, dates } = callWindowParts;

const givenHours = z.strictObject({
  start: hour.describe(START),
  startMinute: minute.optional().describe(START_MINUTE),
  end: hour.describe(END),
  endMinute: minute.optional().describe(END_MINUTE),
  days: days.optional().describe(DAYS),
  excludedDates: dates.optional().describe(DATES),
});

const callableHours = givenHours
  .refine(differ, {
    message: "start and end must differ; both 0, with days or excludedDates: whole days",
    path: ["end"],
  })
  .nullable()
  .optional()
  .describe(HOURS);

/** As of a campaign; whole days are written as hours here, as in an event. */
function differ({
  start,
  startMinute = 0,
  end,
  endMinute = 0,
  days,
  excludedDates,
}: z.output<typeof givenHours>): boolean {
  const isWholeDays = start + startMinute + end + endMinute === 0;
  const restricts = days !== undefined || (excludedDates ?? []).length > 0;
  return (isWholeDays && restricts) || HOURS_DIFFER.holds({ callWindowStart: start, callWindowEnd: end });
}

const attemptsPerNumber = z
  .strictObject({
    day: wholeNumber(1, 100).optional().describe(DAY),
    week: wholeNumber(1, 500).optional().describe(WEEK),
    month: wholeNumber(1, 2_000).optional().describe(MONTH),
  })
  .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
    message: "Must have a limit for a day, a week or a month; null: no limit",
  })
  .nullable()
  .optional()
  .describe(ATTEMPTS);

const EXAMPLE = {
  callableHours: { start: 9, end: 20, days: [1, 2, 3, 4, 5, 6] },
  attemptsPerNumber: { day: 2, week: 5 },
  oneCallAtATime: true,
  requireConsent: false,
  listMaxAgeDays: 30,
  eligibility: null,
  exceptSingleCalls: false,
};

export const policyBody = z
  .strictObject({
    callableHours,
    attemptsPerNumber,
    oneCallAtATime: z.boolean().default(true).describe(`${ONE_CALL}; left out: true`),
    requireConsent: z.boolean().default(false).describe(`${CONSENT}; left out: false`),
    listMaxAgeDays: wholeNumber(1, 365).nullable().default(null).describe(LIST_AGE),
    eligibility: eligibilityCheck.nullable().default(null).describe(ELIGIBILITY),
    exceptSingleCalls: z.boolean().default(false).describe(`${EXCEPT_SINGLE}; left out: false`),
  })
  .meta({ id: "PolicyRequest", examples: [EXAMPLE, { oneCallAtATime: false }] });

/** A whole policy, checked: what is left out has its default. */
export type PolicyBody = z.output<typeof policyBody>;

export const policy = z.object({
  callableHours: z
    .object({
      start: count.describe(START),
      startMinute: count.exactOptional().describe(START_MINUTE),
      end: count.describe(END),
      endMinute: count.exactOptional().describe(END_MINUTE),
      days: z.array(count).exactOptional().describe(DAYS),
      excludedDates: z
        .array(z.string().meta({ format: "date" }))
        .exactOptional()
        .describe(DATES),
    })
    .nullable()
    .describe(HOURS),
  attemptsPerNumber: z
    .object({
      day: count.exactOptional().describe(DAY),
      week: count.exactOptional().describe(WEEK),
      month: count.exactOptional().describe(MONTH),
    })
    .nullable()
    .describe(ATTEMPTS),
  oneCallAtATime: z.boolean().describe(ONE_CALL),
  requireConsent: z.boolean().describe(CONSENT),
  listMaxAgeDays: count.nullable().describe(LIST_AGE),
  eligibility: shownEligibilityCheck.nullable().describe(ELIGIBILITY),
  exceptSingleCalls: z.boolean().describe(EXCEPT_SINGLE),
});

const VERSION = "Number of this version, from 1; the next change has one more";
const WHAT = "The whole policy";
const WHEN = "When it was changed; ISO 8601, UTC";
const WHO = "Who changed it";

const versionExample = {
  version: 3,
  policy: EXAMPLE,
  changedAt: "2026-09-01T10:00:00.000Z",
  changedBy: { kind: "key" as const, id: "key_01k4b2s9h3e8t9v0w1x2y3z4a5", name: "Compliance" },
};

const policyVersion = z
  .object({
    version: count.describe(VERSION),
    policy: policy.describe(WHAT),
    changedAt: instant.describe(WHEN),
    changedBy: actor.describe(WHO),
  })
  .meta({ id: "PolicyVersion", examples: [versionExample] });
export type PolicyVersionRecord = DeepReadonly<z.infer<typeof policyVersion>>;

const NEVER = "null: there was none";

const policyRecord = z
  .object({
    version: count.describe(`${VERSION}. 0: there was none yet, and nobody is held back`),
    policy: policy.nullable().describe(`${WHAT}; ${NEVER}`),
    changedAt: instant.nullable().describe(`${WHEN}; ${NEVER}`),
    changedBy: actor.nullable().describe(`${WHO}; ${NEVER}`),
  })
  .meta({ id: "Policy", examples: [versionExample] });

export const policyRoutes = routes({
  getPolicy: {
    method: "GET",
    path: "/api/v1/policy",
    tag: "policy",
    summary: "Who may be called, and when",
    scope: "account:read",
    query: z.object({ at: asItStoodAt }),
    answers: { 200: answer(policyRecord) },
  },
  putPolicy: {
    method: "PUT",
    path: "/api/v1/policy",
    tag: "policy",
    summary: "Replaces the policy; dials that are admitted afterwards are judged by it",
    description:
      "The whole policy: what is left out has its default. The same again changes nothing, and `oneCallAtATime: false` alone is everything off.",
    scope: "admin",
    body: policyBody,
    answers: { 200: answer(policyVersion) },
    errors: ["POLICY_CHANGED"],
    replacesVersion: true,
  },
  listPolicyVersions: {
    method: "GET",
    path: "/api/v1/policy/versions",
    tag: "policy",
    summary: "Every version of the policy, newest first",
    scope: "account:read",
    query: z.object(pageFields),
    answers: { 200: list(policyVersion) },
  },
});
