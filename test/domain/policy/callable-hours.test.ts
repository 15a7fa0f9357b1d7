import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hoursCloseAt,
  hoursNextOpening,
  hoursOpen,
  zonesConcerned,
} from "../../../domain/policy/callable-hours.ts";
import { differentRules } from "../../../domain/policy/equal-rules.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { anybody, momentsOf, type Person, quarters, wallClock } from "./random-people.ts";

const DAY = 86_400_000;

/** Zones of somebody whose country has some. */
function zonesOf(phoneNumber: PhoneNumber, timezone: string | null = null): readonly string[] {
  const zones = zonesConcerned(phoneNumber, timezone);
  if (zones === "zone_unknown") throw new Error(`no zone for ${phoneNumber}`);
  return zones;
}

/** Whole and half hours, of the day or overnight, with weekdays and without. */
const windows: fc.Arbitrary<CallWindow> = fc
  .record(
    {
      start: fc.nat(23),
      end: fc.nat(23),
      startMinute: fc.constant(30),
      days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    },
    { requiredKeys: ["start", "end"] },
  )
  .filter(({ start, end }) => start !== end);

const cases = anybody.chain((person) =>
  fc.record({ person: fc.constant(person), at: momentsOf(person), window: windows }),
);

/** By the clock on the wall of each zone that the package names, without any of what is tested. */
function isOpen({ zones }: Person, window: CallWindow, at: number): boolean {
  return zones.every((zone) => {
    const wall = wallClock(zone, at);
    const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
    const [start, end] = [window.start * 60 + (window.startMinute ?? 0), window.end * 60];
    const isOvernight = start >= end;
    if (isOvernight ? minute < start && minute >= end : minute < start || minute >= end) return false;
    const begun = isOvernight && minute < end ? new Date(wall.getTime() - DAY) : wall;
    return window.days?.includes(begun.getUTCDay() || 7) ?? true;
  });
}

function firstQuarter(from: number, days: number, holds: (at: number) => boolean): Instant | null {
  for (const at of quarters(from, days)) if (holds(at)) return instantFromMillis(at);
  return null;
}

describe("callable hours of somebody anywhere", PROPERTY_TIMEOUT, () => {
  it("are open when they are on every wall of the country", () => {
    const property = fc.property(cases, ({ person, at, window }) => {
      const open = hoursOpen(zonesOf(person.phoneNumber), window, instantFromMillis(at));
      expect(open).toBe(isOpen(person, window, at));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("open and close in the quarters of an hour that a look at all these walls finds", () => {
    const property = fc.property(cases, ({ person, at, window }) => {
      const zones = zonesOf(person.phoneNumber);
      const from = instantFromMillis(at);
      const opening = firstQuarter(at, 14, (quarter) => isOpen(person, window, quarter));
      expect(hoursNextOpening(zones, window, from)).toBe(opening);
      if (opening === null) return;
      const opened = Date.parse(opening);
      const closing = firstQuarter(opened, 8, (quarter) => !isOpen(person, window, quarter));
      if (closing !== null) expect(hoursCloseAt(zones, window, opening)).toBe(closing);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 5 });
  });

  it("are the same whether anything is remembered or not", () => {
    const days = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 6 });
    const property = fc.property(cases, days, ({ person, at, window }, later) => {
      const zones = zonesOf(person.phoneNumber);
      for (const day of later) {
        const from = instantFromMillis(at + day * DAY);
        expect(hoursNextOpening(zones, window, from)).toBe(hoursNextOpening(zones, { ...window }, from));
        expect(hoursCloseAt(zones, window, from)).toBe(hoursCloseAt(zones, { ...window }, from));
      }
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 5 });
  });
});

describe("zones with the same rules", () => {
  it("are one, and each clock of a country goes like one of those that are judged", () => {
    const property = fc.property(
      anybody.chain((person) => fc.record({ person: fc.constant(person), at: momentsOf(person) })),
      fc.integer({ min: -31, max: 365 }),
      ({ person, at }, days) => {
        const judged = differentRules(zonesOf(person.phoneNumber), at);
        const clocks = (zones: readonly string[]) =>
          new Set(zones.map((zone) => wallClock(zone, at + days * DAY).toISOString()));
        expect(clocks(judged)).toEqual(clocks(person.zones));
      },
    );
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("are eight in the United States, eleven in Russia and one in Germany", () => {
    const count = (number: PhoneNumber) => differentRules(zonesOf(number), Date.parse("2026-11-27")).length;
    expect(count("+12133734253")).toBe(8);
    expect(count("+79161234567")).toBe(11);
    expect(count("+4915123456789")).toBe(1);
  });
});

describe("where somebody lives", () => {
  it("is the own zone, whatever the number's country is", () => {
    expect(zonesConcerned("+12133734253", "Europe/Istanbul")).toEqual(["Europe/Istanbul"]);
  });

  it("is unknown with a zone that this machine has no rules for", () => {
    expect(zonesConcerned("+905321112233", "Europe/Atlantis")).toBe("zone_unknown");
  });

  it.each(["+80012345678", "+870773111632", "+883510000000000", "+15550001111"] as const)(
    "is unknown by the number %s alone",
    (phoneNumber) => {
      expect(zonesConcerned(phoneNumber, null)).toBe("zone_unknown");
      expect(zonesConcerned(phoneNumber, "Europe/Istanbul")).toEqual(["Europe/Istanbul"]);
    },
  );

  it("is every country of a calling code whose digits tell none", () => {
    const zones = zonesOf("+70000000000");
    expect(zones).toContain("Asia/Almaty");
    expect(zones).toContain("Asia/Kamchatka");
  });

  it("is Kosovo, Ascension and Tristan da Cunha, too, which the package leaves out", () => {
    expect(zonesOf("+38343201234")).toEqual(["Europe/Belgrade"]);
    expect(zonesOf("+24740123")).toEqual(["Atlantic/St_Helena"]);
    expect(zonesOf("+2908999")).toEqual(["Atlantic/St_Helena"]);
  });

  it("is one array for the same zones, by which callers may group people", () => {
    expect(zonesOf("+905321112233")).toBe(zonesOf("+905329998877"));
    expect(zonesOf("+905321112233")).toBe(zonesOf("+12133734253", "Europe/Istanbul"));
  });
});

describe("hours that are never the same in all zones", () => {
  /** Four hours, in a country whose clocks are ten hours apart. */
  const window: CallWindow = { start: 10, end: 14 };

  it("never open in Russia, and do with the person's own zone", () => {
    const from = "2026-11-27T10:00:00.000Z";
    expect(hoursNextOpening(zonesOf("+79161234567"), window, from)).toBeNull();
    expect(hoursNextOpening(zonesOf("+79161234567", "Europe/Moscow"), window, from)).toBe(from);
  });

  it("are those that come more than 14 days later; in one zone they are waited for", () => {
    const excludedDates = Array.from(
      { length: 16 },
      (_, day) => `2026-12-${String(day + 10).padStart(2, "0")}`,
    );
    const closed: CallWindow = { start: 9, end: 20, excludedDates };
    const [before, within] = ["2026-12-10T05:00:00.000Z", "2026-12-13T05:00:00.000Z"] as const;
    expect(hoursNextOpening(zonesOf("+12133734253"), closed, before)).toBeNull();
    expect(hoursNextOpening(zonesOf("+12133734253"), closed, within)).toBe("2026-12-26T19:00:00.000Z");
    expect(hoursNextOpening(zonesOf("+905321112233"), closed, before)).toBe("2026-12-26T06:00:00.000Z");
  });
});
