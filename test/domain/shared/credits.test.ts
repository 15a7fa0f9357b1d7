import { describe, expect, it } from "vitest";
import { costOfSeconds, creditsToUnits, unitsToCredits } from "../../../domain/shared/credits.ts";

describe("credits", () => {
  it("are counted in ten-thousandths, so that sums are exact", () => {
    expect(creditsToUnits(0.1) + creditsToUnits(0.2)).toBe(creditsToUnits(0.3));
    expect(creditsToUnits(1.23456)).toBe(12_346);
    expect(unitsToCredits(12_345)).toBe(1.2345);
  });
  it.each([
    [0, 10_000, 0],
    [-5, 10_000, 0],
    [0.001, 10_000, 167],
    [1, 10_000, 167],
    [30, 10_000, 5_000],
    [30.2, 10_000, 5_167],
    [60, 12_345, 12_345],
    [61, 0, 0],
  ])("%d seconds at %d a minute cost %d, by started second", (seconds, price, cost) =>
    expect(costOfSeconds(seconds, price)).toBe(cost),
  );
});
