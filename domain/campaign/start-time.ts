import { DateTime } from "luxon";
import { type Instant, millisOf } from "../shared/instant.ts";

/** A time just passed means now: clocks differ, and a request takes time. */
const PAST_MILLIS = 60_000;

/**
 * Whether a campaign may start by itself then: at most 60 s ago, at most a calendar year ahead. null:
 * yes; else the problem.
 */
export function startTimeProblem(startAt: Instant, now: Instant): string | null {
  const millis = millisOf(startAt);
  if (millis < millisOf(now) - PAST_MILLIS) return "Is more than 60 seconds in the past";
  const latest = DateTime.fromISO(now, { zone: "utc" }).plus({ years: 1 });
  return millis > latest.toMillis() ? "Is more than a year ahead" : null;
}
