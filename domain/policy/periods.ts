import { momentOf } from "../window/call-window.ts";
import { offsetMillis, zoneKey } from "../window/zone-offset.ts";

const DAY = 86_400_000;
/** 1970-01-01, day 0, was a Thursday, the fourth day (from 0: the third) of an ISO week. */
const ISO_WEEKDAY_OF_DAY_0 = 3;

/** Days, ISO weeks and months of the calendar, where somebody lives. Shortest first. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** When the period began that is now in the zone: at the first existing instant of its first date. */
export function periodBegan(zone: string, period: Period, millis: number): number {
  return dateBegan(zone, firstDate(period, localDate(zone, millis)));
}

/** When the period after that begins. */
export function nextPeriodBegins(zone: string, period: Period, millis: number): number {
  return dateBegan(zone, firstDateAfter(period, firstDate(period, localDate(zone, millis))));
}

/** A date is its day number, counted as if it were UTC. */
function localDate(zone: string, millis: number): number {
  return Math.floor((millis + offsetMillis(zone, millis)) / DAY);
}

function firstDate(period: Period, date: number): number {
  if (period === "day") return date;
  if (period === "week") return date - ((((date + ISO_WEEKDAY_OF_DAY_0) % 7) + 7) % 7);
  return date - (new Date(date * DAY).getUTCDate() - 1);
}

function firstDateAfter(period: Period, first: number): number {
  if (period === "day") return first + 1;
  if (period === "week") return first + 7;
  const month = new Date(first * DAY);
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) / DAY;
}

/** Enough for the three periods of a few days in every zone. */
const REMEMBERED_DATES = 10_000;
const began = new Map<string, Map<number, number>>();
let remembered = 0;

function dateBegan(zone: string, date: number): number {
  const key = zoneKey(zone);
  const known = began.get(key)?.get(date);
  if (known !== undefined) return known;
  const found = momentOf(zone, date * DAY);
  if (remembered >= REMEMBERED_DATES) {
    began.clear();
    remembered = 0;
  }
  const ofZone = began.get(key) ?? new Map<number, number>();
  began.set(key, ofZone.set(date, found));
  remembered += 1;
  return found;
}
