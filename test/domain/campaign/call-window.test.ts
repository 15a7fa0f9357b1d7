import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isKnownZone,
  isWindowOpen,
  localTime,
  nextOpening,
  windowClosesAt,
} from "../../../domain/campaign/call-window.ts";
import type { CallWindow } from "../../../domain/campaign/events.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { PROPERTY_RUNS } from "../property-runs.ts";

const ZONES = Intl.supportedValuesOf("timeZone");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The oracle: the local hour as Intl tells it, sharing no code with luxon. */
const formats = new Map<string, Intl.DateTimeFormat>();
function localHour(zone: string, millis: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" });
  formats.set(zone, format);
  return Number(format.format(millis));
}

function isOpenByIntl(zone: string, { start, end }: CallWindow, millis: number): boolean {
  const hour = localHour(zone, millis);
  return start < end ? start <= hour && hour < end : hour >= start || hour < end;
}

/** Moments of `zone` at which its offset changes, by halving (Intl again). */
function transitions(zone: string, from: number, to: number): number[] {
  const offset = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const at = (millis: number) =>
    offset.formatToParts(millis).find(({ type }) => type === "timeZoneName")?.value;
  const found: number[] = [];
  for (let day = from; day < to; day += 7 * 24 * HOUR) {
    let [low, high] = [day, Math.min(day + 7 * 24 * HOUR, to)];
    if (at(low) === at(high)) continue;
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (at(middle) === at(low)) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
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

describe("the call window, in every zone", () => {
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
    fc.assert(property, { numRuns: PROPERTY_RUNS / 20 });
  }, 120_000);

  it("opens and closes right around every transition of ten years", () => {
    const from = Date.parse("2024-01-01T00:00:00Z");
    const chosen = ZONES.filter((_zone, index) => PROPERTY_RUNS > 1_000 || index % 12 === 0);
    for (const zone of [...chosen, ...AWKWARD]) {
      for (const change of transitions(zone, from, from + 10 * 365 * 24 * HOUR)) checkAround(zone, change);
    }
  }, 600_000);
});

const AWKWARD = [
  "America/New_York",
  "Europe/Lisbon",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Chatham",
  "Africa/Casablanca",
];

function checkAround(zone: string, change: number): void {
  for (const hour of [0, 1, 2, 3, 23]) {
    const window = { start: hour, end: (hour + 1) % 24 };
    const before = change - 90 * MINUTE;
    const opening = millisOrNull(nextOpening(zone, window, instantFromMillis(before)));
    expect(opening, `${zone} ${instantFromMillis(change)} ${hour}`).toBe(scan(zone, window, before, true));
  }
}

function millisOrNull(instant: Instant | null): number | null {
  return instant === null ? null : millisOf(instant);
}

describe("the call window, by hand", () => {
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
  it("fails closed in a zone that nobody knows", () => {
    expect(isKnownZone("Mars/Olympus")).toBe(false);
    expect(isWindowOpen("Mars/Olympus", null, "2026-09-01T20:00:00.000Z")).toBe(false);
    expect(nextOpening("Mars/Olympus", null, "2026-09-01T20:00:00.000Z")).toBeNull();
    expect(windowClosesAt("Mars/Olympus", null, "2026-09-01T20:00:00.000Z")).toBe("2026-09-01T20:00:00.000Z");
  });
});
