import type { CallWindow } from "../../domain/shared/call-window.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { LocalTimes } from "../audit/local-time.ts";

/**
 * Local clocks in numbers, by what Intl says: this folder and domain/policy share no code. Days count from
 * 1970-01-01 in local time, minutes from local midnight.
 */
const MINUTE_MILLIS = 60_000;
const HOUR_MILLIS = 60 * MINUTE_MILLIS;
const DAY_MILLIS = 24 * HOUR_MILLIS;
const DAY_MINUTES = 1_440;
/** Local time is at most so far from UTC. */
const MOST_OFFSET_MILLIS = 16 * 3_600_000;

export type Period = "day" | "week" | "month";

export type ZoneClock = {
  readonly zone: string;
  readonly offset: (millis: number) => number;
  /** The first moment of the period that its clock shows at `millis`. */
  readonly beginOf: (period: Period, millis: number) => number;
};

/** null: Intl does not know the zone. */
export function zoneClock(zone: string, times: LocalTimes): ZoneClock | null {
  if (times(zone, instantFromMillis(0)) === null) return null;
  const exact = (millis: number) =>
    (times(zone, instantFromMillis(millis))?.utcOffsetMinutes ?? 0) * MINUTE_MILLIS;
  const offset = inBlocks(DAY_MILLIS, exact, inBlocks(HOUR_MILLIS, exact, exact));
  const begins = new Map<number, number>();
  const firstOf = (day: number): number => {
    const known = begins.get(day) ?? firstMoment(offset, day);
    begins.set(day, known);
    return known;
  };
  return {
    zone,
    offset,
    beginOf: (period, millis) => firstOf(firstDay(period, dayOf(millis + offset(millis)))),
  };
}

/**
 * What Intl says takes 30 µs: `ask` it at both ends of a block, in which no zone changes its clocks twice,
 * and `within` it only where they differ.
 */
function inBlocks(
  length: number,
  ask: (millis: number) => number,
  within: (millis: number) => number,
): (millis: number) => number {
  const blocks = new Map<number, number>();
  return (millis) => {
    const block = Math.floor(millis / length);
    let known = blocks.get(block);
    if (known === undefined) {
      const begin = ask(block * length);
      known = begin === ask((block + 1) * length - 1) ? begin : Number.NaN;
      blocks.set(block, known);
    }
    return Number.isNaN(known) ? within(millis) : known;
  };
}

/** The first moment at which the clock shows that day or a later one. */
function firstMoment(offset: (millis: number) => number, day: number): number {
  const shows = (minute: number) => dayOf(minute * MINUTE_MILLIS + offset(minute * MINUTE_MILLIS)) >= day;
  let before = (day * DAY_MILLIS - MOST_OFFSET_MILLIS) / MINUTE_MILLIS;
  let from = (day * DAY_MILLIS + MOST_OFFSET_MILLIS) / MINUTE_MILLIS;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (shows(middle)) from = middle;
    else before = middle;
  }
  return from * MINUTE_MILLIS;
}

function dayOf(localMillis: number): number {
  return Math.floor(localMillis / DAY_MILLIS);
}

function firstDay(period: Period, day: number): number {
  if (period === "day") return day;
  if (period === "week") return day - isoWeekday(day) + 1;
  return day - new Date(day * DAY_MILLIS).getUTCDate() + 1;
}

/** 1 Monday to 7 Sunday; 1970-01-01 was a Thursday. */
function isoWeekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Hours as numbers, made once for each version of a policy. */
export type Hours = {
  readonly window: CallWindow;
  readonly isOpen: (localMillis: number) => boolean;
};

/** Whether hours are open at a local time: they belong to the date on which they began. */
export function hoursOf(window: CallWindow): Hours {
  const { start, end, startMinute = 0, endMinute = 0, days, excludedDates = [] } = window;
  const begin = start * 60 + startMinute;
  const length = (end * 60 + endMinute - begin + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const excluded = new Set(excludedDates.map((date) => Date.parse(date) / DAY_MILLIS));
  return {
    window,
    isOpen: (localMillis) => {
      const minute = Math.floor((localMillis - dayOf(localMillis) * DAY_MILLIS) / MINUTE_MILLIS);
      const passed = (minute - begin + DAY_MINUTES) % DAY_MINUTES;
      if (passed >= length) return false;
      const began = dayOf(localMillis - passed * MINUTE_MILLIS);
      if (days !== undefined && !days.includes(isoWeekday(began))) return false;
      return !excluded.has(began) && !excluded.has(dayOf(localMillis));
    },
  };
}

/** `2026-11-27T15:30:00.000-05:00` */
export function localText(millis: number, offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MILLIS;
  const two = (value: number) => String(value).padStart(2, "0");
  const sign = offset < 0 ? "-" : "+";
  const text = instantFromMillis(millis + offset).slice(0, -1);
  return `${text}${sign}${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes % 60))}`;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** `09:00–20:00 on Mon, Tue` */
export function hoursText({ start, end, startMinute = 0, endMinute = 0, days }: CallWindow): string {
  const time = (hour: number, minute: number) =>
    `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  const on = days === undefined ? "" : ` on ${days.map((day) => WEEKDAYS[day - 1]).join(", ")}`;
  return `${time(start, startMinute)}–${time(end, endMinute)}${on}`;
}
