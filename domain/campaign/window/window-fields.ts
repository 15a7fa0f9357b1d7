import type { CallWindow } from "../../shared/call-window.ts";
import { hasHours } from "../../window/local-window.ts";

/**
 * A call window as the fields of a campaign: the form in which it is given and shown. Hours 0..23,
 * minutes 0..59, ISO weekdays, dates as `2026-12-25`. The rules are the seed's, with those of docs/api.md
 * §12, Window.
 */
export type WindowFields = {
  /** Local hour; null with the end: at any hour. */
  readonly callWindowStart?: number | null | undefined;
  readonly callWindowEnd?: number | null | undefined;
  readonly callWindowStartMinute?: number | undefined;
  readonly callWindowEndMinute?: number | undefined;
  /** null: every day. */
  readonly callWindowDays?: readonly number[] | null | undefined;
  readonly callWindowExcludedDates?: readonly string[] | undefined;
};

/** As they came: what a field holds is not checked yet. */
export type GivenWindow = { readonly [Field in keyof WindowFields]?: unknown };

/** A rule between fields, and the field at which a breach is shown. */
export type WindowRule = {
  readonly path: keyof WindowFields;
  readonly message: string;
  readonly holds: (window: GivenWindow) => boolean;
};

const isNumber = (value: unknown) => typeof value === "number";
const namesHours = ({ callWindowStart, callWindowEnd }: GivenWindow) =>
  isNumber(callWindowStart) && isNumber(callWindowEnd);

/** Holds for a part of a window, too. */
export const HOURS_DIFFER: WindowRule = {
  path: "callWindowEnd",
  message: "callWindowStart and callWindowEnd must differ",
  holds: ({ callWindowStart, callWindowEnd }) =>
    !isNumber(callWindowStart) || callWindowStart !== callWindowEnd,
};

const MINUTES_ALONE = "Is used together with callWindowStart and callWindowEnd";

/** For a whole window. */
export const WINDOW_RULES: readonly WindowRule[] = [
  {
    path: "callWindowEnd",
    message: "callWindowStart and callWindowEnd are used together",
    holds: ({ callWindowStart, callWindowEnd }) => isNumber(callWindowStart) === isNumber(callWindowEnd),
  },
  HOURS_DIFFER,
  {
    path: "callWindowStartMinute",
    message: MINUTES_ALONE,
    holds: (window) => !isNumber(window.callWindowStartMinute) || namesHours(window),
  },
  {
    path: "callWindowEndMinute",
    message: MINUTES_ALONE,
    holds: (window) => !isNumber(window.callWindowEndMinute) || namesHours(window),
  },
];

/** The given fields over the current ones. Without hours, the current minutes have no meaning. */
export function changedWindow(stands: WindowFields, change: WindowFields): WindowFields {
  const whole = { ...stands, ...change };
  if (namesHours(whole)) return whole;
  const { callWindowStartMinute, callWindowEndMinute } = change;
  return { ...whole, callWindowStartMinute, callWindowEndMinute };
}

/** Problems of `window`, reported at the paths of `change`. */
export function windowProblems(window: WindowFields, change: WindowFields) {
  return WINDOW_RULES.filter(({ holds }) => !holds(window)).map((rule) => {
    const isOfStart = rule === HOURS_DIFFER && change.callWindowEnd === undefined;
    return { path: [isOfStart ? "callWindowStart" : rule.path], message: rule.message };
  });
}

/** Whether the fields say when people may be called: `windowOf` is then not null. */
export function restricts(window: GivenWindow): boolean {
  const { callWindowDays: days, callWindowExcludedDates: dates } = window;
  return namesHours(window) || Array.isArray(days) || (Array.isArray(dates) && dates.length > 0);
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

/** The reverse. Windows of older releases get minute 0, every day, no date excluded. */
export function fieldsOfWindow(window: CallWindow | null) {
  const hours = window !== null && hasHours(window) ? window : null;
  return {
    callWindowStart: hours?.start ?? null,
    callWindowEnd: hours?.end ?? null,
    callWindowStartMinute: hours?.startMinute ?? 0,
    callWindowEndMinute: hours?.endMinute ?? 0,
    callWindowDays: window?.days ?? null,
    callWindowExcludedDates: window?.excludedDates ?? [],
  };
}
