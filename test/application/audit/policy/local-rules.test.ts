import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalTimes } from "../../../../application/audit/local-time.ts";
import {
  closedIn,
  opensTogether,
  releaseOf,
  zoneClocks,
} from "../../../../application/audit/policy/local-rules.ts";
import { personOf } from "../../../../application/audit/policy/number-zones.ts";
import { judgeDial } from "../../../../domain/policy/judge-dial.ts";
import { NO_LISTS } from "../../../../domain/policy/list-age.ts";
import { instantFromMillis } from "../../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../../domain/shared/phone-number.ts";
import { ODD_ZONES, windowsAround } from "../../../domain/campaign/random-windows.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../../../domain/property-runs.ts";

/** One zone, few, many, none that anybody knows; a calling code of several countries. */
const NUMBERS: readonly PhoneNumber[] = [
  "+905321234501",
  "+34612345678",
  "+5511912345678",
  "+14155550101",
  "+61412345678",
  "+80012345678",
  "+262262123456",
];
const HOUR_MILLIS = 3_600_000;
const FORTNIGHT_MINUTES = 14 * 24 * 60;

const times = createLocalTimes();
const cases = fc
  .record({
    phoneNumber: fc.constantFrom(...NUMBERS),
    timezone: fc.option(fc.constantFrom(...ODD_ZONES), { freq: 2 }),
    millis: fc.integer({ min: Date.parse("2026-01-01T00:00:00Z"), max: Date.parse("2028-01-01T00:00:00Z") }),
    caps: fc.constantFrom({ day: 1 }, { day: 2, week: 3 }, { month: 2 }, { day: 1, week: 1, month: 3 }),
    ago: fc.array(fc.integer({ min: 0, max: 30 * 24 }), { maxLength: 4 }),
  })
  .chain((drawn) =>
    windowsAround(drawn.millis, new Date(drawn.millis).getUTCHours()).map((window) => ({ ...drawn, window })),
  );

describe("the audit's own judgement by a policy", PROPERTY_TIMEOUT, () => {
  it("agrees with the engine's in any zones, at any time, though they share nothing", () => {
    const verdicts = new Set<string>();
    const property = fc.property(cases, ({ phoneNumber, timezone, millis, caps, ago, window }) => {
      const at = instantFromMillis(millis);
      const dials = ago.toSorted((a, b) => a - b).map((hours) => millis - hours * HOUR_MILLIS);
      const policy = {
        callableHours: window,
        attemptsPerNumber: caps,
        oneCallAtATime: false,
        exceptSingleCalls: false,
      };
      const { refusals } = judgeDial({
        inForce: { version: 1, policy },
        phoneNumber,
        timezone,
        isSingle: false,
        consent: null,
        lists: NO_LISTS,
        at,
        dials,
        liveCall: null,
        tzdata: "2026a",
      });
      const refusal = (rule: string) => refusals.find((each) => each.rule === rule);
      const { zones } = personOf(phoneNumber, { timezone, evidence: null });
      const clocks = zones === null ? null : zoneClocks(zones, times);
      if (clocks === null) {
        verdicts.add("no zone");
        expect(refusals.map(({ rule }) => rule)).toEqual(["zone_unknown"]);
        return;
      }
      const release = releaseOf(caps, dials, clocks, millis);
      verdicts.add(release === millis ? "free" : "full");
      expect(refusal("attemptsPerNumber")?.until ?? at).toBe(instantFromMillis(release));
      const isClosed = closedIn(clocks, window, millis) !== null;
      verdicts.add(isClosed ? "closed" : "open");
      expect(refusal("callableHours") !== undefined || refusal("zone_unknown") !== undefined).toBe(isClosed);
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 10) });
    expect(verdicts).toEqual(new Set(["no zone", "free", "full", "closed", "open"]));
  });

  it("finds out whether zones open together as a look at each minute does", () => {
    const seen = new Set<boolean>();
    const far = fc.constantFrom(...ODD_ZONES, "Pacific/Kiritimati", "Pacific/Niue", "Asia/Kathmandu");
    const zones = fc.uniqueArray(far, { minLength: 1, maxLength: 3 });
    const property = fc.property(cases, zones, ({ millis, window }, drawn) => {
      const clocks = zoneClocks(drawn, times);
      if (clocks === null) throw new Error(`Intl knows none of ${drawn.join()}`);
      const minutes = Array.from({ length: FORTNIGHT_MINUTES }, (_, minute) => millis + minute * 60_000);
      const isOpen = minutes.some((minute) => closedIn(clocks, window, minute) === null);
      seen.add(isOpen);
      expect(opensTogether(clocks, window, millis)).toBe(isOpen);
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 25) });
    expect(seen).toEqual(new Set([true, false]));
  });
});
