import { expect, it } from "vitest";
import { ticksOf } from "../../dashboard/src/pages/campaign/bar/ticks.ts";

const at = (text: string) => Date.parse(text);
const told = (from: string, until: string, zone = 0) =>
  ticksOf(at(from), at(until), 6, zone).instants.map((each) => new Date(each).toISOString().slice(5, 19));

it("ticks of a time bar are round, between its ends, and as many as are asked for", () => {
  expect(told("2026-09-01T10:00:07Z", "2026-09-01T10:00:58Z")).toEqual(
    ["10", "20", "30", "40", "50"].map((second) => `09-01T10:00:${second}`),
  );
  expect(told("2026-09-01T10:00:07Z", "2026-09-01T11:10:00Z")).toEqual([
    "09-01T10:15:00",
    "09-01T10:30:00",
    "09-01T10:45:00",
    "09-01T11:00:00",
  ]);
  // Midnight of a reader who is three hours ahead.
  expect(told("2026-09-01T10:00:00Z", "2026-09-04T10:00:00Z", 180)).toEqual([
    "09-01T21:00:00",
    "09-02T09:00:00",
    "09-02T21:00:00",
    "09-03T09:00:00",
    "09-03T21:00:00",
    "09-04T09:00:00",
  ]);
  expect(told("2026-09-01T10:00:00Z", "2026-12-01T10:00:00Z").length).toBeLessThanOrEqual(6);
  expect(told("2026-09-01T10:00:00Z", "2026-12-01T10:00:00Z").length).toBeGreaterThan(2);
  expect(told("2026-09-01T10:00:00Z", "2026-09-01T10:00:00Z")).toEqual([]);
});
