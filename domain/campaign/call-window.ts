import { DateTime, IANAZone } from "luxon";
import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { CallWindow } from "./events.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** No zone has ever been without one of its hours for so long. */
const SEARCH_LIMIT = 9 * DAY;

export function isKnownZone(timezone: string): boolean {
  return IANAZone.isValidZone(timezone);
}

/** The window holds local hours: start ≤ hour < end, or overnight hour ≥ start or hour < end (interface.md §5). */
function holds({ start, end }: CallWindow, hour: number): boolean {
  return start < end ? hour >= start && hour < end : hour >= start || hour < end;
}

/** Whether somebody in `timezone` may be dialled at that very moment. No window: always. A zone that is not known: never. */
export function isWindowOpen(timezone: string, window: CallWindow | null, at: Instant): boolean {
  return isOpenAt(timezone, window, millisOf(at));
}

function isOpenAt(timezone: string, window: CallWindow | null, millis: number): boolean {
  if (!isKnownZone(timezone)) return false;
  return window === null || holds(window, Math.floor(timeOfDay(timezone, millis) / HOUR));
}

/** The first moment from `from` on at which the window is open, `from` itself when it is open then; null when there is none (an unknown zone). */
export function nextOpening(timezone: string, window: CallWindow | null, from: Instant): Instant | null {
  if (!isKnownZone(timezone)) return null;
  if (window === null) return from;
  return firstMoment(timezone, millisOf(from), (millis) => isOpenAt(timezone, window, millis));
}

/** The first moment from `from` on at which the window is closed; null when it never closes. */
export function windowClosesAt(timezone: string, window: CallWindow | null, from: Instant): Instant | null {
  if (!isKnownZone(timezone)) return from;
  if (window === null) return null;
  return firstMoment(timezone, millisOf(from), (millis) => !isOpenAt(timezone, window, millis));
}

/**
 * Walks from one local full hour to the next, stopping also where the zone's offset changes: between two such moments the local hour, and so the
 * answer, stays the same. That makes it exact in gaps, in doubled hours and with offsets of half and quarter hours.
 */
function firstMoment(timezone: string, from: number, isIt: (millis: number) => boolean): Instant | null {
  let at = from;
  while (at - from <= SEARCH_LIMIT) {
    if (isIt(at)) return instantFromMillis(at);
    const nextHour = at + HOUR - (timeOfDay(timezone, at) % HOUR);
    at = offsetChange(timezone, at, nextHour) ?? nextHour;
  }
  return null;
}

/** The first millisecond in (from, to] with another offset than at `from`. */
function offsetChange(timezone: string, from: number, to: number): number | null {
  const offset = offsetMillis(timezone, from);
  if (offsetMillis(timezone, to) === offset) return null;
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetMillis(timezone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

function timeOfDay(timezone: string, millis: number): number {
  return (((millis + offsetMillis(timezone, millis)) % DAY) + DAY) % DAY;
}

function offsetMillis(timezone: string, millis: number): number {
  return IANAZone.create(timezone).offset(millis) * 60_000;
}

/** Local date and time with its offset, for the evidence of a dial. */
export function localTime(
  timezone: string,
  at: Instant,
): { readonly localTime: string; readonly utcOffsetMinutes: number } {
  const local = DateTime.fromMillis(millisOf(at), { zone: timezone });
  return { localTime: local.toISO({ includeOffset: true }) ?? "unknown", utcOffsetMinutes: local.offset };
}
