import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  MAX_ATTEMPTS,
  nextAttemptAt,
  RETRY_DELAYS_MILLIS,
} from "../../../domain/webhook/delivery-schedule.ts";

const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe("nextAttemptAt", () => {
  it("allows twelve attempts over the waits of the contract", () => {
    expect(MAX_ATTEMPTS).toBe(12);
    const seconds = RETRY_DELAYS_MILLIS.map((delay) => delay / 1000);
    expect(seconds).toEqual([5, 30, 120, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 86_400]);
  });

  it("ends after the twelfth failure", () => {
    expect(nextAttemptAt(11, 0, null, 0.5)).toBe(86_400_000);
    expect(nextAttemptAt(12, 0, null, 0.5)).toBeNull();
  });

  it("waits for Retry-After when it is longer than the schedule, and for the schedule when that is longer", () => {
    expect(nextAttemptAt(1, 1_000, 60_000, 0.5)).toBe(61_000);
    expect(nextAttemptAt(6, 1_000, 60_000, 0.5)).toBe(3_601_000);
  });

  test.prop([fc.integer({ min: 1, max: 11 }), fc.nat(), random])(
    "keeps every wait within 20 % of the schedule",
    (failures, failedAt, drawn) => {
      const wait = (nextAttemptAt(failures, failedAt, null, drawn) ?? Number.NaN) - failedAt;
      const delay = RETRY_DELAYS_MILLIS[failures - 1] ?? Number.NaN;
      expect(wait).toBeGreaterThanOrEqual(delay * 0.8);
      expect(wait).toBeLessThanOrEqual(delay * 1.2);
    },
  );

  test.prop([fc.array(random, { minLength: 11, maxLength: 11 })])(
    "tries for more than two days and gives up within four, whatever the jitter",
    (draws) => {
      const end = draws.reduce(
        (at, drawn, index) => nextAttemptAt(index + 1, at, null, drawn) ?? Number.NaN,
        0,
      );
      expect(end).toBeGreaterThan(56 * 3_600_000);
      expect(end).toBeLessThan(86 * 3_600_000);
    },
  );
});
