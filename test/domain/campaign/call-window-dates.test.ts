import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { isWindowOpen, nextOpening, windowClosesAt } from "../../../domain/window/call-window.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { segmentsOf } from "./offset-segments.ts";
import { dateText, ODD_ZONES, windowsAround } from "./random-windows.ts";

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY = DAY_MINUTES * MINUTE;
const ZONES = Intl.supportedValuesOf("timeZone");
/**
 * The model: a calendar on which each date paints the minutes of its window; then every excluded date is
 * wiped. A minute is called in when it has paint.
 */
type Calendar = { readonly firstDate: number; readonly painted: Uint8Array };

function calendarOf(window: CallWindow, around: number, days: number): Calendar {
  const firstDate = Math.floor(around / DAY) - 3;
  const painted = new Uint8Array((days + 8) * DAY_MINUTES);
  const start = window.start * 60 + (window.startMinute ?? 0);
  const end = window.end * 60 + (window.endMinute ?? 0);
  const excluded = (date: number) => window.excludedDates?.includes(dateText(date)) === true;
  for (let date = 0; date < days + 6; date += 1) {
    const weekday = new Date((firstDate + date) * DAY).getUTCDay() || 7;
    if (window.days?.includes(weekday) === false || excluded(firstDate + date)) continue;
    const from = date * DAY_MINUTES;
    painted.fill(1, from + start, from + end + (end > start ? 0 : DAY_MINUTES));
  }
  for (let date = 0; date < days + 8; date += 1) {
    if (excluded(firstDate + date)) painted.fill(0, date * DAY_MINUTES, (date + 1) * DAY_MINUTES);
  }
  return { firstDate, painted };
}

function isPainted({ firstDate, painted }: Calendar, wallClock: number): boolean {
  return painted[Math.floor(wallClock / MINUTE) - firstDate * DAY_MINUTES] === 1;
}

/** What the clock on the wall shows, counted as if it were UTC. */
function wallClock(zone: string, millis: number): number {
  const segment = segmentsOf(zone).findLast(({ from }) => from <= millis);
  return millis + (segment?.offset ?? 0);
}

type Case = { readonly zone: string; readonly millis: number; readonly window: CallWindow };

function caseOf(zone: string, millis: number): fc.Arbitrary<Case> {
  const wall = wallClock(zone, millis);
  return windowsAround(wall, new Date(wall).getUTCHours()).map((window) => ({ zone, millis, window }));
}

const moments = fc.integer({
  min: Date.parse("2024-01-10T00:00:00Z"),
  max: Date.parse("2033-12-01T00:00:00Z"),
});
const anywhere = fc.tuple(fc.constantFrom(...ZONES), moments).chain(([zone, millis]) => caseOf(zone, millis));
/** Up to two days before a clock is moved, or some hours after. */
const nearTransitions = fc
  .tuple(fc.constantFrom(...ODD_ZONES), fc.nat(19), fc.integer({ min: -48 * 60, max: 6 * 60 }))
  .chain(([zone, index, away]) => {
    const changes = segmentsOf(zone).slice(1);
    const change = changes[index % changes.length]?.from ?? Date.parse("2026-03-29T01:00:00Z");
    return caseOf(zone, change + away * MINUTE);
  });

/** Each opening and closing of so many days, in turn. */
function edges({ zone, millis, window }: Case, days: number): readonly number[] {
  const told: number[] = [];
  let isOpen = isWindowOpen(zone, window, instantFromMillis(millis));
  for (let at = millis; ; isOpen = !isOpen) {
    const next = (isOpen ? windowClosesAt : nextOpening)(zone, window, instantFromMillis(at));
    if (next === null || millisOf(next) >= millis + days * DAY) return told;
    if (millisOf(next) <= at) throw new Error(`${next} is no step forward`);
    at = millisOf(next);
    told.push(at);
  }
}

/** The same by the model, minute by minute. */
function walkedEdges({ zone, millis, window }: Case, days: number): readonly number[] {
  const calendar = calendarOf(window, millis, days);
  const found: number[] = [];
  let isOpen = isPainted(calendar, wallClock(zone, millis));
  for (let at = millis; at < millis + days * DAY; at = Math.floor(at / MINUTE + 1) * MINUTE) {
    if (isPainted(calendar, wallClock(zone, at)) === isOpen) continue;
    isOpen = !isOpen;
    found.push(at);
  }
  return found;
}

describe("a call window with days, dates and minutes", PROPERTY_TIMEOUT, () => {
  it("is open in every zone exactly when the calendar is painted there", () => {
    const property = fc.property(anywhere, ({ zone, millis, window }) => {
      const painted = isPainted(calendarOf(window, millis, 1), wallClock(zone, millis));
      expect(isWindowOpen(zone, window, instantFromMillis(millis))).toBe(painted);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("opens and closes in every zone at the minutes at which a walk finds paint and none", () => {
    const property = fc.property(anywhere, (each) => {
      expect(edges(each, 16)).toEqual(walkedEdges(each, 16));
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 20) });
  });

  it("opens and closes so when clocks are moved, overnight too", () => {
    let moved = 0;
    const property = fc.property(nearTransitions, (each) => {
      moved +=
        wallClock(each.zone, each.millis + 4 * DAY) - wallClock(each.zone, each.millis) === 4 * DAY ? 0 : 1;
      expect(edges(each, 4)).toEqual(walkedEdges(each, 4));
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 5) });
    expect(moved).toBeGreaterThan(PROPERTY_RUNS / 20);
  });
});

describe("a call window with days, dates and minutes, by hand", () => {
  const NEW_YORK = "America/New_York";
  const opening = (zone: string, window: CallWindow, from: Instant) => nextOpening(zone, window, from);
  const fridays = { start: 0, end: 0, days: [5] };

  it("opens and closes at its minutes", () => {
    const window = { start: 9, end: 18, startMinute: 30, endMinute: 15 };
    const from = "2026-09-01T00:00:00.000Z";
    expect(opening("UTC", window, from)).toBe("2026-09-01T09:30:00.000Z");
    expect(isWindowOpen("UTC", window, "2026-09-01T09:29:59.999Z")).toBe(false);
    expect(windowClosesAt("UTC", window, "2026-09-01T09:30:00.000Z")).toBe("2026-09-01T18:15:00.000Z");
    expect(isWindowOpen("UTC", window, "2026-09-01T18:15:00.000Z")).toBe(false);
  });
  it("belongs overnight to the date on which it begins", () => {
    const monday = { start: 22, end: 6, days: [1] };
    expect(opening("UTC", monday, "2026-09-01T07:00:00.000Z")).toBe("2026-09-07T22:00:00.000Z");
    expect(windowClosesAt("UTC", monday, "2026-09-07T22:00:00.000Z")).toBe("2026-09-08T06:00:00.000Z");
    expect(isWindowOpen("UTC", monday, "2026-09-07T03:00:00.000Z")).toBe(false);
  });
  it("is closed on an excluded date from midnight to midnight, and with it the rest of the window that began there", () => {
    const night = { start: 22, end: 6, excludedDates: ["2026-09-02"] };
    expect(windowClosesAt("UTC", night, "2026-09-01T22:00:00.000Z")).toBe("2026-09-02T00:00:00.000Z");
    expect(opening("UTC", night, "2026-09-02T00:00:00.000Z")).toBe("2026-09-03T22:00:00.000Z");
  });
  it("is whole days without hours, and does not close between two of them", () => {
    const weekend = { start: 0, end: 0, days: [6, 7] };
    expect(opening("UTC", weekend, "2026-09-01T00:00:00.000Z")).toBe("2026-09-05T00:00:00.000Z");
    expect(windowClosesAt("UTC", weekend, "2026-09-05T00:00:00.000Z")).toBe("2026-09-07T00:00:00.000Z");
    const everyDay = { start: 0, end: 0, days: [1, 2, 3, 4, 5, 6, 7] };
    expect(windowClosesAt("UTC", everyDay, "2026-09-05T00:00:00.000Z")).toBeNull();
  });
  it("goes by the date of each zone", () => {
    const at = "2026-09-03T23:00:00.000Z";
    expect(isWindowOpen("Asia/Tokyo", fridays, at)).toBe(true);
    expect(isWindowOpen("UTC", fridays, at)).toBe(false);
    expect(opening("Asia/Kolkata", fridays, "2026-09-01T00:00:00.000Z")).toBe("2026-09-03T18:30:00.000Z");
  });
  it("does not open on a day whose whole window lies in a gap, and opens after a part of it at the first instant there is", () => {
    const sundays = { start: 2, end: 3, startMinute: 15, endMinute: 0, days: [7] };
    expect(opening(NEW_YORK, sundays, "2026-03-07T00:00:00.000Z")).toBe("2026-03-15T06:15:00.000Z");
    const longer = { ...sundays, endMinute: 10 };
    expect(opening(NEW_YORK, longer, "2026-03-07T00:00:00.000Z")).toBe("2026-03-08T07:00:00.000Z");
    expect(windowClosesAt(NEW_YORK, longer, "2026-03-08T07:00:00.000Z")).toBe("2026-03-08T07:10:00.000Z");
  });
  it("is looked for across a moved clock, days before", () => {
    const mondays = { start: 0, end: 0, days: [1] };
    expect(opening(NEW_YORK, mondays, "2026-03-04T00:00:00.000Z")).toBe("2026-03-09T04:00:00.000Z");
    expect(opening(NEW_YORK, mondays, "2026-10-28T00:00:00.000Z")).toBe("2026-11-02T05:00:00.000Z");
  });
  it("opens again on a day that a clock moved back at midnight comes back to", () => {
    const saturdays = { start: 23, end: 0, days: [6] };
    const back = "2026-10-25T00:00:00.000Z";
    expect(windowClosesAt("America/Nuuk", saturdays, back)).toBe("2026-10-25T02:00:00.000Z");
    const stJohns = { start: 0, end: 0, days: [6] };
    expect(opening("America/St_Johns", stJohns, "2010-11-07T02:30:30.000Z")).toBe("2010-11-07T02:31:00.000Z");
  });
  it("counts the day that Apia never had as a gap", () => {
    const friday = { start: 9, end: 17, days: [5] };
    expect(opening("Pacific/Apia", friday, "2011-12-26T00:00:00.000Z")).toBe("2012-01-05T19:00:00.000Z");
    const night = { start: 22, end: 6, days: [5] };
    expect(opening("Pacific/Apia", night, "2011-12-26T00:00:00.000Z")).toBe("2011-12-30T10:00:00.000Z");
    expect(windowClosesAt("Pacific/Apia", night, "2011-12-30T10:00:00.000Z")).toBe(
      "2011-12-30T16:00:00.000Z",
    );
  });
  it("is found 800 days ahead, and not later", () => {
    const from = "2026-09-01T00:00:00.000Z";
    const sundaysFrom = (count: number) =>
      Array.from({ length: count }, (_, week) => dateText(Date.parse("2026-09-06") / DAY + 7 * week));
    const sundays = { start: 9, end: 10, days: [7] };
    const closedFor = (count: number) =>
      opening(NEW_YORK, { ...sundays, excludedDates: sundaysFrom(count) }, from);
    expect(closedFor(100)).toBe("2028-08-06T13:00:00.000Z");
    expect(closedFor(113)).toBe("2028-11-05T14:00:00.000Z");
    expect(closedFor(114)).toBeNull();
  });
});
