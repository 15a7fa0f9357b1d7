import type { CallWindow } from "../../domain/shared/call-window.ts";

/**
 * The rule of docs/api.md §12, Window, implemented a second time: this file and
 * domain/window/local-window.ts share no code.
 */
const MINUTE_MILLIS = 60_000;
const DAY_MINUTES = 24 * 60;

/**
 * Whether a window is open at a local time (`2026-09-01T13:00:00`). It looks at the last beginning
 * before that time: the window must last until then, and neither the date of that beginning nor the date
 * itself may be closed.
 */
export function isInside(window: CallWindow | null, localTime: string): boolean {
  if (window === null) return true;
  const { start, end, startMinute = 0, endMinute = 0, days, excludedDates = [] } = window;
  const length = minutesBetween(start * 60 + startMinute, end * 60 + endMinute) || DAY_MINUTES;
  const { date, passed } = lastBeginning(window, localTime);
  const isAllowedDay = days === undefined || days.includes(new Date(date).getUTCDay() || 7);
  const isExcluded = [date, localTime.slice(0, 10)].some((each) => excludedDates.includes(each));
  return passed < length && isAllowedDay && !isExcluded;
}

/** Local date of the last time at or before that one at which the window might begin, and minutes since. */
export function lastBeginning({ start, startMinute = 0 }: CallWindow, localTime: string) {
  const [hour, minute] = [Number(localTime.slice(11, 13)), Number(localTime.slice(14, 16))];
  const passed = minutesBetween(start * 60 + startMinute, hour * 60 + minute);
  const began = Date.parse(`${localTime}Z`) - passed * MINUTE_MILLIS;
  return { date: new Date(began).toISOString().slice(0, 10), passed };
}

function minutesBetween(earlier: number, later: number): number {
  return (later - earlier + DAY_MINUTES) % DAY_MINUTES;
}
