import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zonesConcerned } from "../../../domain/policy/callable-hours.ts";
import { type CallableTimes, closesAt, isOpen, opensAt } from "../../../domain/policy/callable-times.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { type Instant, instantFromMillis, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { isWindowOpen } from "../../../domain/window/call-window.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;
/** Two days before clocks of Europe go back, nine before those of America. */
const BEGIN = Date.parse("2026-10-23T20:00:00.000Z");

const hour = fc.integer({ min: 0, max: 23 });
const windows: fc.Arbitrary<CallWindow> = fc
  .record(
    {
      start: hour,
      end: hour,
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 3, maxLength: 6 }),
      excludedDates: fc.uniqueArray(fc.constantFrom("2026-10-24", "2026-10-26", "2026-10-28")),
    },
    { requiredKeys: ["start", "end"] },
  )
  .filter(({ start, end }) => start !== end);

function zonesOf(number: `+${string}`): readonly string[] {
  const zones = zonesConcerned(number, null);
  if (zones === "zone_unknown") throw new Error("no zones");
  return zones;
}
const US = zonesOf("+14155550100");

const times: fc.Arbitrary<CallableTimes & { readonly hours: NonNullable<CallableTimes["hours"]> }> =
  fc.record({
    zone: fc.constantFrom("Europe/Istanbul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"),
    window: fc.option(windows),
    hours: fc.record({
      zones: fc.constantFrom(US, zonesOf("+905321234567"), zonesOf("+61412345678"), ["Europe/Berlin"]),
      window: windows,
    }),
  });
const moments = fc.nat(3 * 96).map((quarters) => instantFromMillis(BEGIN + quarters * QUARTER));

/** Quarter by quarter of an hour, by the clock of each zone. */
function walk({ zone, window, hours }: CallableTimes, from: Instant, days: number) {
  const areHours = (at: Instant) =>
    hours?.zones.every((each) => isWindowOpen(each, hours.window, at)) ?? true;
  const isBoth = (at: Instant) => isWindowOpen(zone, window, at) && areHours(at);
  const quarters = Array.from({ length: days * 96 }, (_, step) => plusMillis(from, step * QUARTER));
  return { isBoth, opening: quarters.find(isBoth), hasHours: quarters.some(areHours) };
}

describe("a campaign's window beside the hours of a policy", PROPERTY_TIMEOUT, () => {
  it("opens in the first quarter of an hour in which both are open, in every zone of the person", () => {
    const property = fc.property(times, moments, (each, from) => {
      const { opening, hasHours, isBoth } = walk(each, from, 12);
      if (!hasHours) return;
      expect(isOpen(each, from)).toBe(isBoth(from));
      const found = opensAt(each, from);
      if (opening === undefined) expect(found === null || found >= plusMillis(from, 12 * DAY)).toBe(true);
      else expect(found).toBe(opening);
      if (found !== null && found !== from) expect(opensAt(each, plusMillis(from, QUARTER))).toBe(found);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 10 });
  });

  it("closes when the first of them closes", () => {
    const property = fc.property(times, moments, (each, from) => {
      const { isBoth } = walk(each, from, 0);
      if (!isBoth(from)) return;
      const closing = closesAt(each, from);
      const quarters = closing === null ? 96 : (millisOf(closing) - millisOf(from)) / QUARTER;
      for (let step = 0; step < Math.min(quarters, 96); step += 1)
        expect(isBoth(plusMillis(from, step * QUARTER))).toBe(true);
      if (closing !== null) expect(isBoth(closing)).toBe(false);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 4 });
  });

  it("is not closed by hours that no moment of 14 days has in all zones: there the dial is refused", () => {
    const hours = { zones: US, window: { start: 2, end: 3 } };
    const each = { zone: "America/New_York", window: { start: 9, end: 18 }, hours };
    expect(isOpen(each, "2026-10-23T14:00:00.000Z")).toBe(true);
    expect(opensAt(each, "2026-10-23T02:00:00.000Z")).toBe("2026-10-23T13:00:00.000Z");
    expect(closesAt(each, "2026-10-23T14:00:00.000Z")).toBe("2026-10-23T22:00:00.000Z");
  });

  it("never opens when they exclude each other", () => {
    const hours = { zones: US, window: { start: 9, end: 20 } };
    const each = { zone: "Europe/Lisbon", window: { start: 6, end: 8 }, hours };
    expect(opensAt(each, "2026-10-24T20:00:00.000Z")).toBeNull();
    expect(opensAt({ ...each, zone: "Mars/Olympus" }, "2026-10-24T20:00:00.000Z")).toBeNull();
  });

  it("opens in the week in which the clocks of both are nearest, though never before", () => {
    // New York is six hours behind Berlin, and five from 25 October 2026 until 1 November.
    const each = {
      zone: "Europe/Berlin",
      window: { start: 22, end: 23 },
      hours: { zones: ["America/New_York"], window: { start: 17, end: 18 } },
    };
    expect(opensAt(each, "2026-09-01T00:00:00.000Z")).toBe("2026-10-25T21:00:00.000Z");
  });
});
