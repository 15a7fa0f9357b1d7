import { IANAZone } from "luxon";
import type { CallWindow } from "../shared/call-window.ts";
import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import { DAY, firstDateToLookAt, hasDates, isInWindow, SEARCHED_DAYS, untilEdge } from "./local-window.ts";
import { offsetMillis, STEADY_MILLIS, zoneKey } from "./zone-offset.ts";

/**
 * Apia once left out a whole day. Since 1970 no clock was moved by more than this, and none back by a day.
 */
const LONGEST_SHIFT = DAY + 2 * 3_600_000;

/** `2026-12-25` */
const ISO_DATE_LENGTH = 10;

/** Names begin with a letter: `+03:00` is an offset without daylight saving, not a zone. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** Asking Intl takes 50 µs a name. The cache is bounded, because callers can invent names. */
const REMEMBERED_NAMES = 2_000;
const remembered = new Map<string, boolean>();

/** Whether `timezone` is an IANA zone (or one of its links) that this machine has rules for. */
export function isKnownZone(timezone: string): boolean {
  const name = zoneKey(timezone);
  const before = remembered.get(name);
  if (before !== undefined) return before;
  const known = ZONE_NAME.test(name) && IANAZone.isValidZone(name);
  if (remembered.size >= REMEMBERED_NAMES) remembered.clear();
  remembered.set(name, known);
  return known;
}

/** Whether somebody in `timezone` may be dialled at that moment. No window: always. Unknown zone: never. */
export function isWindowOpen(timezone: string, window: CallWindow | null, at: Instant): boolean {
  if (!isKnownZone(timezone)) return false;
  if (window === null) return true;
  const millis = millisOf(at);
  return isInWindow(window, millis + offsetMillis(timezone, millis));
}

/**
 * The first moment from `from` on at which the window is open (`from` itself if it is open then). null: none
 * within 800 days (the warning `never_open`), or an unknown zone.
 */
export function nextOpening(timezone: string, window: CallWindow | null, from: Instant): Instant | null {
  if (!isKnownZone(timezone)) return null;
  return window === null ? from : firstMoment(timezone, window, from, true);
}

/**
 * The first moment from `from` on in a window that begins on a later local date than `day` (the rest of a
 * night that began before is none). null: as `nextOpening`.
 */
export function openingOnLaterDate(
  timezone: string,
  window: CallWindow,
  day: Instant,
  from: Instant,
): Instant | null {
  if (!isKnownZone(timezone)) return null;
  const today = localTime(timezone, day).localTime.slice(0, ISO_DATE_LENGTH);
  // A clock that is put back at midnight comes to the date before once more.
  const yesterday = instantFromMillis(Date.parse(today) - DAY).slice(0, ISO_DATE_LENGTH);
  const excludedDates = [...(window.excludedDates ?? []), yesterday, today];
  return firstMoment(timezone, { ...window, excludedDates }, from, true);
}

/**
 * The first moment from `from` on at which the window is closed; null: it does not close within 800 days. In
 * an unknown zone it is closed.
 */
export function windowClosesAt(timezone: string, window: CallWindow | null, from: Instant): Instant | null {
  if (!isKnownZone(timezone)) return from;
  return window === null ? null : firstMoment(timezone, window, from, false);
}

/**
 * Goes to the next edge of the window as if the offset did not change, stops where it does, and looks again
 * from there. So it is exact in gaps, in repeated hours, and with offsets of half and quarter hours. Throws
 * RangeError when a step makes no progress, because `isInside` does not change at the edges of the window.
 */
export function firstMoment(
  timezone: string,
  window: CallWindow,
  from: Instant,
  wanted: boolean,
  isInside = isInWindow,
): Instant | null {
  const first = millisOf(from);
  let at = first;
  while (at - first <= SEARCHED_DAYS * DAY) {
    const offset = offsetMillis(timezone, at);
    const local = at + offset;
    if (isInside(window, local) === wanted) return instantFromMillis(at);
    const next = at + Math.min(untilEdge(window, local, wanted), STEADY_MILLIS);
    const leap = hasDates(window) ? firstDateToLookAt(window, local, wanted) - local - LONGEST_SHIFT : 0;
    at = leap > 0 ? at + leap : forward(at, offsetChange(timezone, at, next, offset));
  }
  return null;
}

/** Without progress the search for an edge would never end. */
function forward(from: number, to: number): number {
  if (to > from) return to;
  throw new RangeError(`The call window does not change at its edge: from ${from} the next step is ${to}`);
}

/** The first millisecond in (from, to] with another offset than `from`; `to` when there is none. */
export function offsetChange(timezone: string, from: number, to: number, offset: number): number {
  if (offsetMillis(timezone, to) === offset) return to;
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetMillis(timezone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * The first moment at which the clock of the zone shows this time, or a later one where it leaves it out.
 * `local`: in milliseconds, counted as if it were UTC.
 */
export function momentOf(timezone: string, local: number): number {
  let at = local - DAY; // no zone is so far ahead of UTC
  for (;;) {
    const offset = offsetMillis(timezone, at);
    if (at + offset >= local) return at;
    at = offsetChange(timezone, at, Math.min(local - offset, at + STEADY_MILLIS), offset);
  }
}

/** Local date and time with the offset, as evidence of a dial; the zone must be known. */
export function localTime(
  timezone: string,
  at: Instant,
): { readonly localTime: string; readonly utcOffsetMinutes: number } {
  const millis = millisOf(at);
  const utcOffsetMinutes = offsetMillis(timezone, millis) / 60_000;
  const local = instantFromMillis(millis + utcOffsetMinutes * 60_000).slice(0, -1);
  return { localTime: `${local}${offsetText(utcOffsetMinutes)}`, utcOffsetMinutes };
}

/** `+05:30` */
function offsetText(minutes: number): string {
  const whole = Math.trunc(Math.abs(minutes));
  const hours = String(Math.floor(whole / 60)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${hours}:${String(whole % 60).padStart(2, "0")}`;
}
