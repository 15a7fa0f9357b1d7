import type { CallbackTerms } from "../../call/events.ts";
import { type CallableTimes, opensAt } from "../../policy/callable-times.ts";
import { type Instant, instantFromMillis, millisOf } from "../../shared/instant.ts";
import { isKnownZone, localTime, momentOf } from "../../window/call-window.ts";
import { DAY } from "../../window/local-window.ts";
import { offsetMillis } from "../../window/zone-offset.ts";

export type CallbackMoment =
  /** moved: at another local time than was asked. */
  { readonly at: Instant; readonly moved: boolean } | { readonly refused: CallbackRefusal };

export type CallbackRefusal = "past" | "too_far" | "opens_too_late" | "too_many" | "not_a_time";

/** Less than this ahead, it is over before it is agreed. */
const SOONEST_MILLIS = 60_000;
const LATEST_OPENING = 7 * DAY;
/** `2026-11-28T10:00` */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
const LOCAL_TIME_LENGTH = 16;

/**
 * When a call is due that was asked for at a local time: at the first opening of the window, and of the
 * policy's hours, from then on. A time that the clock leaves out is the first moment after the gap, one that
 * it shows twice is the earlier.
 */
export function callbackMoment(
  asked: string,
  { zone, window, hours, left, maxDays }: CallbackTerms,
  now: Instant,
): CallbackMoment {
  const local = localMillis(asked);
  if (local === null) return { refused: "not_a_time" };
  if (left <= 0) return { refused: "too_many" };
  if (!isKnownZone(zone)) return { refused: "opens_too_late" };
  const today = localDay(millisOf(now) + offsetMillis(zone, millisOf(now)));
  if (local < today) return { refused: "past" };
  if (localDay(local) > today + maxDays * DAY) return { refused: "too_far" };
  const wished = momentOf(zone, local);
  if (wished < millisOf(now) + SOONEST_MILLIS) return { refused: "past" };
  const at = callbackOpening({ zone, window, hours: hours ?? null }, instantFromMillis(wished));
  if (at === null) return { refused: "opens_too_late" };
  return { at, moved: localTime(zone, at).localTime.slice(0, LOCAL_TIME_LENGTH) !== asked };
}

/** Whether the calendar has this date and the day this time. */
export function isLocalTime(asked: string): boolean {
  return localMillis(asked) !== null;
}

/** The first opening at `wished` or after it; null: too late for who waits for the call, or never. */
export function callbackOpening(times: CallableTimes, wished: Instant): Instant | null {
  const at = opensAt(times, wished);
  return at === null || millisOf(at) > millisOf(wished) + LATEST_OPENING ? null : at;
}

/** Local date and time in milliseconds, counted as if it were UTC; null: there is no such date or time. */
function localMillis(asked: string): number | null {
  const millis = LOCAL_TIME.test(asked) ? Date.parse(`${asked}:00.000Z`) : Number.NaN;
  const isReal = !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(asked);
  return isReal ? millis : null;
}

function localDay(local: number): number {
  return Math.floor(local / DAY) * DAY;
}
