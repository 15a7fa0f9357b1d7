import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { createLocalTimes } from "../../../application/audit/local-time.ts";
import { countIn, zoneClocks } from "../../../application/audit/policy/local-rules.ts";
import { isInside } from "../../../application/audit/window-rules.ts";
import { hoursOf, localText, zoneClock } from "../../../application/verification/zone-clock.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";

const times = createLocalTimes();
const DAY = 86_400_000;

/** Half hours of offset and of summer time, clocks that change at midnight, Ramadan, none of these. */
const zones = [
  ...["America/New_York", "Europe/Istanbul", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"],
  ...[
    "Africa/Cairo",
    "Asia/Beirut",
    "Africa/Casablanca",
    "America/St_Johns",
    "Pacific/Apia",
    "America/Santiago",
  ],
];
const zone = fc.constantFrom(...zones);
const moment = fc.integer({ min: Date.parse("2024-01-01"), max: Date.parse("2030-01-01") });
/** Changes of clocks are rare among all moments. */
const nearChange = fc
  .tuple(
    fc.constantFrom("2026-03-08T07:00Z", "2026-03-29T01:00Z", "2026-04-23T22:00Z", "2026-10-29T21:00Z"),
    fc.integer({ min: -DAY, max: DAY }),
  )
  .map(([change, off]) => Date.parse(change) + off);
const anyMoment = fc.oneof(moment, nearChange);
const window = fc.record(
  {
    start: fc.integer({ min: 0, max: 23 }),
    end: fc.integer({ min: 0, max: 23 }),
    startMinute: fc.integer({ min: 1, max: 59 }),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    excludedDates: fc.constant(["2026-03-08", "2026-03-29", "2026-10-30"]),
  },
  { requiredKeys: ["start", "end"] },
);

function clockOf(name: string) {
  const clock = zoneClock(name, times);
  if (clock === null) throw new Error(`${name} is unknown`);
  return clock;
}

test.prop([zone, anyMoment])("the clock shows what Intl shows", (name, millis) => {
  const { offset } = clockOf(name);
  const told = times(name, instantFromMillis(millis));
  expect(localText(millis, offset(millis)).slice(0, 19)).toBe(told?.text);
  expect(Date.parse(localText(millis, offset(millis)))).toBe(millis);
});

test.prop([zone, anyMoment, window])("hours are open when those of the audit are", (name, millis, hours) => {
  const { offset } = clockOf(name);
  const local = times(name, instantFromMillis(millis))?.text ?? "";
  expect(hoursOf(hours).isOpen(millis + offset(millis))).toBe(isInside(hours, local));
});

test.prop([zone, anyMoment, fc.integer({ min: 0, max: 40 * DAY })])(
  "a dial lies in a period when the audit counts it",
  (name, millis, before) => {
    const { beginOf } = clockOf(name);
    const clocks = zoneClocks([name], times);
    if (clocks === null) throw new Error("no clock");
    for (const period of ["day", "week", "month"] as const)
      expect([period, millis - before >= beginOf(period, millis)]).toEqual([
        period,
        countIn(period, [millis - before], clocks, millis) === 1,
      ]);
  },
);

test("nobody knows the clock of a zone that Intl does not know", () => {
  expect(zoneClock("Mars/Olympus", times)).toBeNull();
});
