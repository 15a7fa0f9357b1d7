import { describe, expect, it } from "vitest";
import {
  type Breaker,
  breakerAfterFailure,
  breakerState,
  CLOSED_BREAKER,
} from "../../../domain/webhook/breaker.ts";

function failTimes(times: number, nowMillis: number, from: Breaker = CLOSED_BREAKER): Breaker {
  return Array.from({ length: times }).reduce<Breaker>(
    (breaker) => breakerAfterFailure(breaker, nowMillis),
    from,
  );
}

/** Fails the one try each time it is allowed, and answers the waits. */
function waitsOfFailedTries(tries: number): number[] {
  let breaker = failTimes(5, 0);
  const waits = [breaker.waitMillis];
  for (let index = 0; index < tries; index++) {
    const now = breaker.openUntilMillis ?? Number.NaN;
    breaker = breakerAfterFailure(breaker, now);
    waits.push((breaker.openUntilMillis ?? Number.NaN) - now);
  }
  return waits;
}

describe("the breaker", () => {
  it("stays closed for four failures in a row", () =>
    expect(breakerState(failTimes(4, 0), 0)).toBe("closed"));

  it("opens with the fifth for 30 seconds, then lets one try", () => {
    const opened = failTimes(5, 1_000);
    expect(breakerState(opened, 30_999)).toBe("open");
    expect(breakerState(opened, 31_000)).toBe("probe");
  });

  it("doubles the wait with each failed try, to five minutes", () => {
    expect(waitsOfFailedTries(5)).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it("is not pushed further by what was still under way when it opened", () => {
    const opened = failTimes(5, 0);
    expect(failTimes(3, 14_000, opened).openUntilMillis).toBe(opened.openUntilMillis);
  });
});
