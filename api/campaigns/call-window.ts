import { z } from "zod";
import { isoDate, wholeNumber } from "../../contract/fields.ts";
import type { CallWindow } from "../../domain/campaign/settings.ts";

/** The seed's rules for call windows with those of docs/api.md §12, Window. */

const MAX_EXCLUDED_DATES = 100;
const hour = wholeNumber(0, 23).nullable();
const minute = wholeNumber(0, 59);
const days = z
  .array(wholeNumber(1, 7))
  .min(1, "Must name at least one day; null: every day")
  .refine((list) => new Set(list).size === list.length, { message: "Must name each day once" })
  .meta({ uniqueItems: true });
const dates = z.array(isoDate).max(MAX_EXCLUDED_DATES, `Must have at most ${MAX_EXCLUDED_DATES} dates`);

export const callWindowFields = {
  callWindowStart: hour
    .meta({ description: "Local hour at which the window opens; null: people are called at any hour" })
    .optional(),
  callWindowEnd: hour
    .meta({ description: "Local hour at which it closes, not the start hour; an earlier one: overnight" })
    .optional(),
  callWindowStartMinute: minute
    .meta({ description: "Minutes after callWindowStart, 0 unless given; only with hours" })
    .optional(),
  callWindowEndMinute: minute
    .meta({ description: "Minutes after callWindowEnd, 0 unless given; only with hours" })
    .optional(),
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
};

/** As in a checked body, or in a record. */
export type WindowFields = {
  readonly callWindowStart?: number | null | undefined;
  readonly callWindowEnd?: number | null | undefined;
  readonly callWindowStartMinute?: number | undefined;
  readonly callWindowEndMinute?: number | undefined;
  readonly callWindowDays?: readonly number[] | null | undefined;
  readonly callWindowExcludedDates?: readonly string[] | undefined;
};

type GivenWindow = { readonly [Field in keyof typeof callWindowFields]?: unknown };
type WindowRule = {
  readonly path: keyof GivenWindow;
  readonly message: string;
  readonly holds: (window: GivenWindow) => boolean;
};

const isNumber = (value: unknown) => typeof value === "number";
const hasHours = ({ callWindowStart, callWindowEnd }: GivenWindow) =>
  isNumber(callWindowStart) && isNumber(callWindowEnd);

const DIFFERENT: WindowRule = {
  path: "callWindowEnd",
  message: "callWindowStart and callWindowEnd must differ",
  holds: ({ callWindowStart, callWindowEnd }) =>
    !isNumber(callWindowStart) || callWindowStart !== callWindowEnd,
};
const MINUTES_ALONE = "Is used together with callWindowStart and callWindowEnd";
const WINDOW_RULES: readonly WindowRule[] = [
  {
    path: "callWindowEnd",
    message: "callWindowStart and callWindowEnd are used together",
    holds: ({ callWindowStart, callWindowEnd }) => isNumber(callWindowStart) === isNumber(callWindowEnd),
  },
  DIFFERENT,
  {
    path: "callWindowStartMinute",
    message: MINUTES_ALONE,
    holds: (window) => !isNumber(window.callWindowStartMinute) || hasHours(window),
  },
  {
    path: "callWindowEndMinute",
    message: MINUTES_ALONE,
    holds: (window) => !isNumber(window.callWindowEndMinute) || hasHours(window),
  },
];

/** For a body with the whole window. */
export function withWholeWindow<Body extends z.ZodType>(body: Body): Body {
  return WINDOW_RULES.reduce(withRule, body);
}

/** For a body whose window is merged with the current one: `windowProblems` checks the result. */
export function withPartOfWindow<Body extends z.ZodType>(body: Body): Body {
  return withRule(body, DIFFERENT);
}

/**
 * Rules between two fields are checked even if other fields are invalid, so that all problems
 * are reported at once.
 */
function withRule<Body extends z.ZodType>(body: Body, { path, message, holds }: WindowRule): Body {
  const isGiven = (value: unknown) => typeof value === "object" && value !== null;
  return body.refine((value) => !isGiven(value) || holds(value), { message, path: [path], when: () => true });
}

/** The given fields over the current ones. Without hours, the current minutes have no meaning. */
export function changedWindow(stands: WindowFields, change: WindowFields): WindowFields {
  const whole = { ...stands, ...change };
  if (hasHours(whole)) return whole;
  const { callWindowStartMinute, callWindowEndMinute } = change;
  return { ...whole, callWindowStartMinute, callWindowEndMinute };
}

/** Problems of `window`, reported at the paths of `change`. */
export function windowProblems(window: WindowFields, change: WindowFields) {
  return WINDOW_RULES.filter(({ holds }) => !holds(window)).map((rule) => {
    const isOfStart = rule === DIFFERENT && change.callWindowEnd === undefined;
    return { path: [isOfStart ? "callWindowStart" : rule.path], message: rule.message };
  });
}

/** null: people may be called at any time. */
export function windowOf(fields: WindowFields): CallWindow | null {
  const { callWindowStart: start = null, callWindowEnd: end = null, callWindowDays = null } = fields;
  const { callWindowStartMinute: startMinute = 0, callWindowEndMinute: endMinute = 0 } = fields;
  const excludedDates = [...new Set(fields.callWindowExcludedDates)].toSorted();
  const allowed = {
    ...(callWindowDays === null ? {} : { days: callWindowDays.toSorted() }),
    ...(excludedDates.length === 0 ? {} : { excludedDates }),
  };
  if (start === null || end === null)
    return Object.keys(allowed).length === 0 ? null : { start: 0, end: 0, ...allowed };
  return {
    start,
    end,
    ...(startMinute === 0 ? {} : { startMinute }),
    ...(endMinute === 0 ? {} : { endMinute }),
    ...allowed,
  };
}
