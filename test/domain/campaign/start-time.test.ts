import { describe, expect, it } from "vitest";
import { startTimeProblem } from "../../../domain/campaign/settings.ts";

const NOW = "2026-09-01T10:00:00.000Z";

describe("when a campaign may be told to start by itself", () => {
  it.each([
    ["2026-09-01T09:59:00.000Z", null],
    ["2026-09-01T09:58:59.999Z", "Is more than 60 seconds in the past"],
    ["2027-09-01T10:00:00.000Z", null],
    ["2027-09-01T10:00:00.001Z", "Is more than a year ahead"],
  ] as const)("%s: %s", (startAt, problem) => expect(startTimeProblem(startAt, NOW)).toBe(problem));

  it("a year from a leap day ends on the last of February", () => {
    const leapDay = "2028-02-29T10:00:00.000Z";
    expect(startTimeProblem("2029-02-28T10:00:00.000Z", leapDay)).toBeNull();
    expect(startTimeProblem("2029-03-01T10:00:00.000Z", leapDay)).not.toBeNull();
  });
});
