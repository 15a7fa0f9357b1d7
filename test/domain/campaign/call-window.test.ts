import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import {
  firstMoment,
  isKnownZone,
  isWindowOpen,
  localTime,
  nextOpening,
  windowClosesAt,
} from "../../../domain/window/call-window.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { segmentsOf } from "./offset-segments.ts";

const ZONES = Intl.supportedValuesOf("timeZone");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Fewer runs than in CI are a quick look: the zones that change most oddly stand for all of them. */
const CHANGING_ZONES =
  PROPERTY_RUNS < 1_000 ? ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"] : ZONES;

/** The oracle: the local hour as Intl tells it, sharing no code with luxon. */
const formats = new Map<string, Intl.DateTimeFormat>();
function localHour(zone: string, millis: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" });
  formats.set(zone, format);
  return Number(format.format(millis));
}

function inWindow({ start, end }: CallWindow, hour: number): boolean {
  return start < end ? start <= hour && hour < end : hour >= start || hour < end;
}

function isOpenByIntl(zone: string, window: CallWindow, millis: number): boolean {
  return inWindow(window, localHour(zone, millis));
}

const windows = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 23 }))
  .filter(([start, end]) => start !== end)
  .map(([start, end]) => ({ start, end }));
const moments = fc.integer({
  min: Date.parse("2016-01-01T00:00:00Z"),
  max: Date.parse("2036-01-01T00:00:00Z"),
});
const zones = fc.constantFrom(...ZONES);

/** next opening and next closing from `from` on, minute by minute over three days. */
function scan(zone: string, window: CallWindow, from: number, open: boolean): number | null {
  if (isOpenByIntl(zone, window, from) === open) return from;
  for (let at = Math.ceil((from + 1) / MINUTE) * MINUTE; at < from + 72 * HOUR; at += MINUTE) {
    if (isOpenByIntl(zone, window, at) === open) return at;
  }
  return null;
}

describe("the call window, in every zone", PROPERTY_TIMEOUT, () => {
  it("is open exactly when the local hour lies in it", () => {
    const property = fc.property(zones, windows, moments, (zone, window, millis) => {
      expect(isWindowOpen(zone, window, instantFromMillis(millis))).toBe(isOpenByIntl(zone, window, millis));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("opens and closes at the minute that a scan finds", () => {
    const property = fc.property(zones, windows, moments, (zone, window, millis) => {
      const from = instantFromMillis(millis);
      expect(millisOrNull(nextOpening(zone, window, from))).toBe(scan(zone, window, millis, true));
      expect(millisOrNull(windowClosesAt(zone, window, from))).toBe(scan(zone, window, millis, false));
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 20) });
  }, 120_000);

  it("is open in the very minutes that a scan finds, on the day of every transition of ten years", () => {
    let checked = 0;
    for (const zone of CHANGING_ZONES) {
      for (const [index, change] of segmentsOf(zone).entries()) {
        if (index === 0) continue;
        checked += 1;
        const hour = localHour(zone, change.from - 1);
        const hours = PROPERTY_RUNS > 1_000 ? HOURS : [hour, (hour + 1) % 24, (index * 7) % 24];
        for (const start of hours) {
          checkDay(zone, { start, end: (start + 1) % 24 }, change.from);
          checkDay(zone, { start, end: (start + 23) % 24 }, change.from);
        }
      }
    }
    expect(checked).toBeGreaterThan(4 * CHANGING_ZONES.length);
  }, 3_600_000);
});

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * From the day before a transition to the day after: each opening and closing, against the
 * hour of each minute.
 */
function checkDay(zone: string, window: CallWindow, change: number): void {
  const from = Math.floor((change - 13 * HOUR) / MINUTE) * MINUTE;
  const to = change + 26 * HOUR;
  const told: number[] = [];
  for (let at = from, open = isOpenByIntl(zone, window, from); ; open = !open) {
    const next = open
      ? windowClosesAt(zone, window, instantFromMillis(at))
      : nextOpening(zone, window, instantFromMillis(at));
    if (next === null || millisOf(next) > to) break;
    at = millisOf(next);
    told.push(at);
  }
  if (told.join() !== edgesByScan(zone, window, from, to).join())
    expect(told, `${zone} ${JSON.stringify(window)} ${instantFromMillis(change)}`).toEqual(
      edgesByScan(zone, window, from, to),
    );
}

/** The minutes of (from, to] at which the window opens or closes. */
function edgesByScan(zone: string, window: CallWindow, from: number, to: number): number[] {
  const edges: number[] = [];
  const segments = segmentsOf(zone).filter((segment) => segment.from <= to);
  let index = 0;
  let before = isOpenByIntl(zone, window, from);
  for (let at = from; at <= to; at += MINUTE) {
    while ((segments[index + 1]?.from ?? Number.POSITIVE_INFINITY) <= at) index += 1;
    const local = at + (segments[index]?.offset ?? 0);
    const open = inWindow(window, Math.floor((local % DAY) / HOUR));
    if (open !== before) edges.push(at);
    before = open;
  }
  return edges;
}

function millisOrNull(instant: Instant | null): number | null {
  return instant === null ? null : millisOf(instant);
}

describe("the call window, by hand", PROPERTY_TIMEOUT, () => {
  const opening = (zone: string, window: CallWindow, from: Instant) => nextOpening(zone, window, from);

  it("opens after a gap at the first instant that exists", () => {
    expect(opening("America/New_York", { start: 2, end: 4 }, "2026-03-08T06:00:00.000Z")).toBe(
      "2026-03-08T07:00:00.000Z",
    );
    expect(localTime("America/New_York", "2026-03-08T07:00:00.000Z").localTime).toBe(
      "2026-03-08T03:00:00.000-04:00",
    );
  });
  it("waits a day when the gap swallowed the whole window", () =>
    expect(opening("America/New_York", { start: 2, end: 3 }, "2026-03-08T06:00:00.000Z")).toBe(
      "2026-03-09T06:00:00.000Z",
    ));
  it("stays open through an hour that happens twice", () => {
    expect(opening("America/New_York", { start: 1, end: 2 }, "2026-11-01T04:00:00.000Z")).toBe(
      "2026-11-01T05:00:00.000Z",
    );
    expect(windowClosesAt("America/New_York", { start: 1, end: 2 }, "2026-11-01T05:00:00.000Z")).toBe(
      "2026-11-01T07:00:00.000Z",
    );
  });
  it("opens again when an hour comes back", () =>
    expect(opening("Europe/Lisbon", { start: 1, end: 2 }, "2026-10-25T00:30:00.000Z")).toBe(
      "2026-10-25T00:30:00.000Z",
    ));
  it("knows Lord Howe's half-hour shift", () =>
    expect(opening("Australia/Lord_Howe", { start: 2, end: 3 }, "2026-10-03T14:00:00.000Z")).toBe(
      "2026-10-03T15:30:00.000Z",
    ));
  it("knows offsets of half and three quarter hours", () => {
    expect(opening("Asia/Kolkata", { start: 9, end: 18 }, "2026-01-01T00:00:00.000Z")).toBe(
      "2026-01-01T03:30:00.000Z",
    );
    expect(opening("Asia/Kathmandu", { start: 9, end: 18 }, "2026-01-01T00:00:00.000Z")).toBe(
      "2026-01-01T03:15:00.000Z",
    );
  });
  it("crosses the day that Apia never had", () =>
    expect(opening("Pacific/Apia", { start: 9, end: 17 }, "2011-12-30T03:30:00.000Z")).toBe(
      "2011-12-30T19:00:00.000Z",
    ));
  it("goes over midnight", () => {
    const night = { start: 22, end: 6 };
    expect(isWindowOpen("Europe/Istanbul", night, "2026-09-01T20:00:00.000Z")).toBe(true);
    expect(isWindowOpen("Europe/Istanbul", night, "2026-09-02T02:59:59.999Z")).toBe(true);
    expect(isWindowOpen("Europe/Istanbul", night, "2026-09-02T03:00:00.000Z")).toBe(false);
  });
  it("has no restriction without hours", () => {
    expect(isWindowOpen("Europe/Istanbul", null, "2026-09-01T20:00:00.000Z")).toBe(true);
    expect(nextOpening("Europe/Istanbul", null, "2026-09-01T20:00:00.000Z")).toBe("2026-09-01T20:00:00.000Z");
    expect(windowClosesAt("Europe/Istanbul", null, "2026-09-01T20:00:00.000Z")).toBeNull();
  });
  it("knows zones by name, not by offset", () => {
    for (const zone of ["Europe/Istanbul", "UTC", "Asia/Calcutta", "Asia/Kolkata", "Etc/GMT+3"])
      expect(isKnownZone(zone), zone).toBe(true);
    for (const zone of ["+03:00", "", " Europe/Istanbul", "Europe/Istanbul/", "x".repeat(65)])
      expect(isKnownZone(zone), zone).toBe(false);
  });
  it("remembers what it knows, and not more than it may", () => {
    for (let made = 0; made < 2_001; made += 1) expect(isKnownZone(`Made/Up_${made}`)).toBe(false);
    expect(isKnownZone("Europe/Istanbul")).toBe(true);
  });
  it("tells local time with its offset, also west of Greenwich and at half hours", () => {
    expect(localTime("Asia/Kolkata", "2026-01-01T00:00:00.123Z")).toEqual({
      localTime: "2026-01-01T05:30:00.123+05:30",
      utcOffsetMinutes: 330,
    });
    expect(localTime("America/St_Johns", "2026-01-01T00:00:00.000Z")).toEqual({
      localTime: "2025-12-31T20:30:00.000-03:30",
      utcOffsetMinutes: -210,
    });
    expect(localTime("UTC", "2026-01-01T00:00:00.000Z").localTime).toBe("2026-01-01T00:00:00.000+00:00");
  });
  it("fails closed in a zone that nobody knows", () => {
    expect(isKnownZone("Mars/Olympus")).toBe(false);
    expect(isWindowOpen("Mars/Olympus", null, "2026-09-01T20:00:00.000Z")).toBe(false);
    expect(nextOpening("Mars/Olympus", null, "2026-09-01T20:00:00.000Z")).toBeNull();
    expect(windowClosesAt("Mars/Olympus", null, "2026-09-01T20:00:00.000Z")).toBe("2026-09-01T20:00:00.000Z");
  });
  it("says so where the hours it is told do not change at the window's edges, in place of looking for ever", () => {
    const window = { start: 9, end: 17 };
    const endsLate = (_: unknown, local: number) => local % DAY >= 9 * HOUR && local % DAY <= 17 * HOUR;
    const look = () => firstMoment("UTC", window, "2026-09-01T12:00:00.000Z", false, endsLate);
    expect(look).toThrow("does not change at its edge");
  });
});
