import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CampaignSettings, RetryPlanRow } from "../../domain/campaign/settings.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { LocalTimes } from "./local-time.ts";
import { isInside, lastBeginning } from "./window-rules.ts";

/**
 * The rule of docs/api.md §5, Retry plan, implemented a second time: this file and retry-policy.ts share no
 * code. An opening is looked for date by date, by the clock that Intl knows.
 */
const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;
/** No zone is further ahead of UTC than 14 hours, or behind it than 12. */
const AHEAD_MILLIS = 15 * HOUR_MILLIS;
const BEHIND_MILLIS = 13 * HOUR_MILLIS;
/** Whoever waits for a window that does not open so long is not called before the minutes of the row. */
const SEARCHED_DAYS = 800;

export type NamedRow = { readonly place: number; readonly row: RetryPlanRow };

/** The row that names the end; null: none does. */
export function rowNaming({ retryPlan }: CampaignSettings, endReason: EndReason): NamedRow | null {
  for (const [place, row] of (retryPlan ?? []).entries())
    if (row.endReasons.includes(endReason)) return { place, row };
  return null;
}

/** Minutes of the row after so many attempts that failed with one of its ends. */
export function minutesOf({ row }: NamedRow, failures: ReadonlyMap<EndReason, number>): number {
  let count = 0;
  for (const each of row.endReasons) count += failures.get(each) ?? 0;
  const place = Math.min(Math.max(count, 1), row.afterMins.length) - 1;
  return row.afterMins[place] ?? Number.NaN;
}

type Waiting = {
  readonly timezone: string;
  readonly window: CallWindow | null;
  /** End of the attempt, and the end of the minutes of the row; epoch milliseconds. */
  readonly endMillis: number;
  readonly earliestMillis: number;
};

/** When the retry must be due by the row, epoch milliseconds. */
export function dueMillis({ row }: NamedRow, waiting: Waiting, times: LocalTimes): number {
  return (row.sameDay ? null : laterOpening(waiting, times)) ?? waiting.earliestMillis;
}

/** The first moment, not before the minutes, in a window that begins on a date after that of the end. */
function laterOpening({ timezone, window, endMillis, earliestMillis }: Waiting, times: LocalTimes) {
  const local = (millis: number) => times(timezone, instantFromMillis(millis));
  const ended = local(endMillis);
  if (window === null || ended === null) return null;
  const today = Date.parse(ended.text.slice(0, 10));
  const isOfDate = (millis: number, date: string) => {
    const text = local(millis)?.text ?? "";
    return isInside(window, text) && lastBeginning(window, text).date === date;
  };
  for (let days = 1; days <= SEARCHED_DAYS; days += 1) {
    const midnight = today + days * DAY_MILLIS;
    const date = new Date(midnight).toISOString().slice(0, 10);
    const openings = momentsToTry(midnight, window, (millis) => local(millis)?.utcOffsetMinutes ?? 0)
      .map((millis) => Math.max(millis, earliestMillis))
      .filter((millis) => isOfDate(millis, date));
    if (openings.length > 0) return Math.min(...openings);
  }
  return null;
}

/**
 * Where a window of that date can open: at its local hour by the offset before and after a change of the
 * clock, and at the change itself. `midnight`: of the date, as if it were UTC.
 */
function momentsToTry(
  midnight: number,
  { start, startMinute = 0 }: CallWindow,
  offsetMinutes: (millis: number) => number,
): readonly number[] {
  const beginning = midnight + (start * 60 + startMinute) * 60_000;
  let before = midnight - AHEAD_MILLIS;
  let after = midnight + 2 * DAY_MILLIS + BEHIND_MILLIS;
  const [first, last] = [offsetMinutes(before), offsetMinutes(after)];
  const hours = [first, last].map((offset) => beginning - offset * 60_000);
  if (first === last) return hours;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetMinutes(middle) === first) before = middle;
    else after = middle;
  }
  return [...hours, after];
}
