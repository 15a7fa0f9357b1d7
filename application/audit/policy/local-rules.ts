import type { AttemptsPerNumber } from "../../../domain/policy/policy.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import type { LocalTimes } from "../local-time.ts";
import { isInside } from "../window-rules.ts";

/**
 * The rules of docs/permission.md over several zones, by the local clocks that Intl knows: this file and
 * domain/policy share no code. A zone's period is the date, the Monday or the month that its clock shows.
 */
const MINUTE_MILLIS = 60_000;
const QUARTER_MILLIS = 15 * MINUTE_MILLIS;
const DAY_MILLIS = 24 * 60 * MINUTE_MILLIS;
/** No cap counts longer than a month, in whatever zone. */
const LONGEST_HOLD_MINUTES = 33 * 24 * 60;
const OPENING_SEARCHED_DAYS = 14;

export type Period = keyof AttemptsPerNumber;
export const PERIODS: readonly Period[] = ["day", "week", "month"];

/** A clock in each zone concerned; Intl knows all of them. */
export type ZoneClocks = {
  readonly zones: readonly string[];
  readonly local: (zone: string, millis: number) => string;
};

/** Zones that Intl does not know are left out; null: none is left. */
export function zoneClocks(zones: readonly string[], times: LocalTimes): ZoneClocks | null {
  const epoch = instantFromMillis(0);
  const known = zones.filter((zone) => times(zone, epoch) !== null);
  if (known.length === 0) return null;
  return { zones: known, local: (zone, millis) => times(zone, instantFromMillis(millis))?.text ?? "" };
}

/** A zone in which the hours are closed; null: there is none. */
export function closedIn({ zones, local }: ZoneClocks, hours: CallWindow, millis: number): string | null {
  return zones.find((zone) => !isInside(hours, local(zone, millis))) ?? null;
}

/**
 * Whether all zones are open together at some minute of the next two weeks: at once, or when the last of them
 * opens. Clocks differ from UTC by quarters of an hour, so each zone opens at the hours' own minute or a
 * quarter from it.
 */
export function opensTogether(clocks: ZoneClocks, hours: CallWindow, from: number): boolean {
  if (closedIn(clocks, hours, from) === null) return true;
  const opening = (hours.startMinute ?? 0) * MINUTE_MILLIS;
  const first = Math.ceil((from - opening) / QUARTER_MILLIS) * QUARTER_MILLIS + opening;
  const last = from + OPENING_SEARCHED_DAYS * DAY_MILLIS;
  for (let millis = first; millis <= last; millis += QUARTER_MILLIS)
    if (closedIn(clocks, hours, millis) === null) return true;
  return false;
}

/** Whether the clocks of all zones show the same for two weeks, looked at each six hours. */
export function areOneClock({ zones, local }: ZoneClocks, from: number): boolean {
  for (let quarter = 0; quarter <= OPENING_SEARCHED_DAYS * 4; quarter += 1) {
    const millis = from + (quarter * DAY_MILLIS) / 4;
    if (new Set(zones.map((zone) => local(zone, millis))).size > 1) return false;
  }
  return true;
}

/** How many of these dials (epoch milliseconds) lie in the period of `millis` in a zone, or later. */
export function countIn(
  period: Period,
  dials: readonly number[],
  clocks: ZoneClocks,
  millis: number,
): number {
  return countOf(period, datesOf(dials, clocks), datesOf([millis], clocks)[0] ?? []);
}

/** The date of each of these moments in each of the zones. */
function datesOf(moments: readonly number[], { zones, local }: ZoneClocks): readonly (readonly string[])[] {
  return moments.map((millis) => zones.map((zone) => local(zone, millis).slice(0, 10)));
}

function countOf(period: Period, dials: readonly (readonly string[])[], today: readonly string[]): number {
  const begins = today.map((date) => beginOf(period, date));
  return dials.filter((dates) => dates.some((date, zone) => date >= (begins[zone] ?? ""))).length;
}

/** The first date of the period of a date. */
function beginOf(period: Period, date: string): string {
  if (period === "day") return date;
  if (period === "month") return `${date.slice(0, 7)}-01`;
  const midnight = Date.parse(date);
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - sinceMonday * DAY_MILLIS).toISOString().slice(0, 10);
}

/** The cap that is told as `3/week`; null: there is no such cap. */
export function capNamed(caps: AttemptsPerNumber | null, name: string | number | null) {
  for (const period of PERIODS) {
    const most = caps?.[period];
    if (most !== undefined && name === `${most}/${period}`) return { period, most };
  }
  return null;
}

/**
 * The first millisecond from `from` on at which every cap allows a dial; `from`: none is filled. Every period
 * begins with a minute.
 */
export function releaseOf(
  caps: AttemptsPerNumber,
  dials: readonly number[],
  clocks: ZoneClocks,
  from: number,
): number {
  const dates = datesOf(dials, clocks);
  const isFull = (millis: number): boolean => {
    const today = datesOf([millis], clocks)[0] ?? [];
    return PERIODS.some((period) => {
      const cap = caps[period];
      return cap !== undefined && countOf(period, dates, today) >= cap;
    });
  };
  if (!isFull(from)) return from;
  let full = Math.floor(from / MINUTE_MILLIS);
  let free = full + LONGEST_HOLD_MINUTES;
  while (free - full > 1) {
    const middle = Math.floor((full + free) / 2);
    if (isFull(middle * MINUTE_MILLIS)) full = middle;
    else free = middle;
  }
  return free * MINUTE_MILLIS;
}
