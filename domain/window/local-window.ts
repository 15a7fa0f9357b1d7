import type { CallWindow } from "../shared/call-window.ts";

/*
 * A call window in local time (docs/api.md §12, Window). `local` is the local date and time in milliseconds,
 * counted as if it were UTC. A date is its day number, counted the same way.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/**
 * How far ahead an opening is searched. Longer than any period that 100 excluded dates can close
 * with one weekday a week.
 */
export const SEARCHED_DAYS = 800;

/** 1970-01-01, day 0, was a Thursday. */
const WEEKDAY_OF_DAY_0 = 4;

/**
 * A window belongs to the date on which it begins. An excluded date closes the window that begins on it, and
 * the rest of the one before.
 */
export function isInWindow(window: CallWindow, local: number): boolean {
  const [time, start] = [timeOfDay(local), startOf(window)];
  if (!isInHours(time, start, endOf(window))) return false;
  if (!hasDates(window)) return true;
  const date = dateOf(local);
  return time >= start ? begins(window, date) : goesOn(window, date);
}

/** Overnight, or the whole day, when the end is not after the start. */
function isInHours(time: number, start: number, end: number): boolean {
  return start < end ? time >= start && time < end : time >= start || time < end;
}

/** Whether some dates are closed. Without that a window changes only at its two edges. */
export function hasDates({ days, excludedDates }: CallWindow): boolean {
  return days !== undefined || excludedDates !== undefined;
}

/** false: the whole day, from midnight to midnight. */
export function hasHours({ start, end }: CallWindow): boolean {
  return start !== end;
}

/**
 * Milliseconds from `local` to the next time at which the window may become `wanted` (open: true, closed:
 * false); it must not be so at `local`. With dates the result is always more than 0, because a date can keep
 * the window closed at its edge. Without dates it is never asked at that very edge.
 */
export function untilEdge(window: CallWindow, local: number, wanted: boolean): number {
  const time = timeOfDay(local);
  const edge = wanted ? startOf(window) : endOf(window);
  const ahead = (edge - time + DAY) % DAY;
  if (!hasDates(window)) return ahead;
  const next = ahead === 0 ? DAY : ahead;
  return wanted ? next : Math.min(next, DAY - time);
}

/**
 * Midnight of the first date (from the day before `local` on) on which the window can be `wanted`; infinite
 * when none is within the searched days.
 */
export function firstDateToLookAt(window: CallWindow, local: number, wanted: boolean): number {
  const yesterday = dateOf(local) - 1;
  for (let date = yesterday; date <= yesterday + SEARCHED_DAYS + 2; date += 1) {
    const isPossible = wanted
      ? begins(window, date) || goesOn(window, date)
      : hasHours(window) || !begins(window, date);
    if (isPossible) return date * DAY;
  }
  return Number.POSITIVE_INFINITY;
}

function begins(window: CallWindow, date: number): boolean {
  return (window.days?.includes(weekdayOf(date)) ?? true) && !isExcluded(window, date);
}

/** The part after midnight of the window of the date before. */
function goesOn(window: CallWindow, date: number): boolean {
  return startOf(window) > endOf(window) && begins(window, date - 1) && !isExcluded(window, date);
}

function isExcluded({ excludedDates }: CallWindow, date: number): boolean {
  return excludedDates !== undefined && datesIn(excludedDates).has(date);
}

/** Parsing a hundred dates costs more than everything else here, and windows are asked often. */
const readDates = new WeakMap<readonly string[], ReadonlySet<number>>();

function datesIn(texts: readonly string[]): ReadonlySet<number> {
  const known = readDates.get(texts);
  if (known !== undefined) return known;
  const dates = new Set(texts.map((text) => dateOf(Date.parse(text))));
  readDates.set(texts, dates);
  return dates;
}

/** ISO: 1 Monday to 7 Sunday. */
function weekdayOf(date: number): number {
  return ((((date + WEEKDAY_OF_DAY_0 - 1) % 7) + 7) % 7) + 1;
}

function startOf({ start, startMinute = 0 }: CallWindow): number {
  return start * HOUR + startMinute * MINUTE;
}

function endOf({ end, endMinute = 0 }: CallWindow): number {
  return end * HOUR + endMinute * MINUTE;
}

function timeOfDay(local: number): number {
  return ((local % DAY) + DAY) % DAY;
}

function dateOf(local: number): number {
  return Math.floor(local / DAY);
}
