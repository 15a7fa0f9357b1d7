import fc from "fast-check";
import type { CallWindow } from "../../../domain/shared/call-window.ts";

const DAY = 24 * 3_600_000;

/** Clocks that are moved by an hour, by half of one, around midnight, at Ramadan, and not at all. */
export const ODD_ZONES = [
  "America/New_York",
  "Europe/Lisbon",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Pacific/Apia",
  "Africa/Casablanca",
  "Africa/Cairo",
  "America/Nuuk",
  "America/Havana",
  "Asia/Beirut",
  "America/Santiago",
  "Antarctica/Troll",
];

/** `date`: days since 1970-01-01. */
export function dateText(date: number): string {
  return new Date(date * DAY).toISOString().slice(0, 10);
}

const minutes = fc.oneof(fc.constantFrom(0, 15, 30, 59), fc.nat(59));
const weekdays = fc
  .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
  .map((days) => days.toSorted((a, b) => a - b));

/**
 * With dates near `around`, because an excluded date far away closes nothing that is looked at, and now and
 * then hours next to `hour`.
 */
export function windowsAround(around: number, hour: number): fc.Arbitrary<CallWindow> {
  const near = fc.integer({ min: -1, max: 1 }).map((shift) => (hour + shift + 24) % 24);
  const start = fc.oneof(fc.nat(23), near);
  const date = Math.floor(around / DAY);
  const excludedDates = fc
    .uniqueArray(fc.integer({ min: date - 2, max: date + 6 }), { minLength: 1, maxLength: 6 })
    .map((excluded) => excluded.toSorted((a, b) => a - b).map(dateText));
  const hours = { start, end: fc.oneof(fc.nat(23), near), startMinute: minutes, endMinute: minutes };
  const dates = { days: weekdays, excludedDates };
  const wholeDays = fc.record(
    { start: fc.constant(0), end: fc.constant(0), ...dates },
    { requiredKeys: ["start", "end"] },
  );
  return fc.oneof(
    {
      arbitrary: fc
        .record({ ...hours, ...dates }, { requiredKeys: ["start", "end"] })
        .filter(({ start, end }) => start !== end),
      weight: 4,
    },
    {
      arbitrary: wholeDays.filter((window) => Object.keys(window).length > 2),
      weight: 1,
    },
  );
}
