import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalTimes } from "../../../application/audit/local-time.ts";
import { dueMillis, minutesOf, rowNaming } from "../../../application/audit/plan-rules.ts";
import { plannedRetry } from "../../../domain/campaign/retry-policy.ts";
import { instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { SETTINGS } from "../../domain/campaign/example-campaign.ts";
import { segmentsOf } from "../../domain/campaign/offset-segments.ts";
import { ODD_ZONES, windowsAround } from "../../domain/campaign/random-windows.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../../domain/property-runs.ts";

const MINUTE = 60_000;
const times = createLocalTimes();

const ends = fc.constantFrom(...ODD_ZONES).chain((timezone) =>
  fc
    .record({
      segment: fc.constantFrom(...segmentsOf(timezone).slice(1), {
        from: Date.parse("2026-05-05T05:00:00Z"),
      }),
      shift: fc.integer({ min: -60 * 60, max: 24 * 60 }),
      afterMins: fc.array(fc.integer({ min: 1, max: 3 * 1_440 }), { minLength: 1, maxLength: 4 }),
      failures: fc.integer({ min: 1, max: 6 }),
      sameDay: fc.boolean(),
    })
    .chain(({ segment, shift, ...row }) => {
      const endMillis = Math.floor(segment.from / MINUTE + shift) * MINUTE + 12_345;
      const hour = new Date(endMillis).getUTCHours();
      return windowsAround(endMillis, hour).map((window) => ({ ...row, timezone, endMillis, window }));
    }),
);

describe("the audit's own judgement of a retry plan", PROPERTY_TIMEOUT, () => {
  it("agrees with the engine's, also where clocks change, though they share nothing", () => {
    const property = fc.property(ends, ({ timezone, endMillis, window, failures, ...waits }) => {
      const plan = [
        { endReasons: ["busy"], afterMins: [1], sameDay: true },
        { endReasons: ["no_answer", "declined"], ...waits },
      ] as const;
      const settings = { ...SETTINGS, window, retryPlan: plan };
      const endedAt = instantFromMillis(endMillis);
      const decided = plannedRetry(settings, {
        endReason: "declined",
        endedAt,
        timezone,
        failuresOf: () => failures,
      });
      const named = rowNaming(settings, "declined");
      if (decided === null || named === null) throw new Error("no row");
      const minutes = minutesOf(named, new Map([["declined", failures] as const]));
      const earliestMillis = endMillis + minutes * MINUTE;
      expect(named.place).toBe(decided.planRow);
      expect(minutes * MINUTE).toBe(decided.retryIntervalMillis);
      expect(dueMillis(named, { timezone, window, endMillis, earliestMillis }, times)).toBe(
        millisOf(decided.retryAt),
      );
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("finds no row for an end that none names, and counts the ends of a row together", () => {
    const plan = [{ endReasons: ["busy", "declined"], afterMins: [1, 2, 3], sameDay: true }] as const;
    const settings = { ...SETTINGS, retryPlan: plan };
    expect(rowNaming(settings, "no_answer")).toBeNull();
    expect(rowNaming(SETTINGS, "busy")).toBeNull();
    const named = rowNaming(settings, "busy");
    const failures = new Map([
      ["busy", 1],
      ["declined", 1],
      ["no_answer", 7],
    ] as const);
    expect(named === null ? null : minutesOf(named, failures)).toBe(2);
  });
});
