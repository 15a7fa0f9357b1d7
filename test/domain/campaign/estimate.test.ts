import { describe, expect, it } from "vitest";
import { estimateCampaign } from "../../../domain/campaign/estimate.ts";

const facts = {
  contacts: 10_000,
  lines: 10,
  callsPerSecond: 10,
  timezone: "Europe/Istanbul",
  window: null,
  startsAt: "2026-09-07T06:00:00.000Z", // Monday, 9:00 there
  pricePerMinute: 10_000,
} as const;
const hours = (changes: Partial<Parameters<typeof estimateCampaign>[0]>) =>
  estimateCampaign({ ...facts, ...changes }).hours;

describe("an estimate", () => {
  it("is a minute's talk for each contact, and a ring before it, on every line", () => {
    expect(estimateCampaign(facts)).toEqual({ hours: (1_000 * 75) / 3_600, credits: 100_000_000 });
    expect(hours({ lines: 20 })).toBeCloseTo((500 * 75) / 3_600, 6);
    expect(hours({ contacts: 1 })).toBeCloseTo(75 / 3_600, 6);
    expect(estimateCampaign({ ...facts, contacts: 2, pricePerMinute: 15_000 }).credits).toBe(30_000);
  });

  it("goes by the pace where that is what calls wait for", () => {
    expect(hours({ contacts: 3_601, callsPerSecond: 1, lines: 1_000 })).toBeCloseTo(1 + 75 / 3_600, 6);
  });

  it("counts the hours in which the window is closed, and begins when it opens", () => {
    const window = { start: 9, end: 19 };
    // 20.83 hours of calling: Monday and Tuesday whole, and the rest on Wednesday from 9:00.
    expect(hours({ window })).toBeCloseTo(48 + 75_000 / 3_600 - 20, 6);
    const saturday = "2026-09-12T06:00:00.000Z";
    const weekdays = { ...window, days: [1, 2, 3, 4, 5] };
    expect(hours({ contacts: 1, window: weekdays, startsAt: saturday })).toBeCloseTo(48 + 75 / 3_600, 6);
  });

  it("says nothing of an end that never comes, or too far away", () => {
    const never = { start: 9, end: 10, days: [] };
    expect(hours({ window: never })).toBeNull();
    expect(hours({ window: { start: 9, end: 10 }, lines: 1 })).toBeNull();
    expect(hours({ timezone: "Nowhere/Here" })).toBeNull();
  });
});
