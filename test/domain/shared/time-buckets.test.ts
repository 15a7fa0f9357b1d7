import { expect, it } from "vitest";
import type { Instant } from "../../../domain/shared/instant.ts";
import { bucketEdges } from "../../../domain/shared/time-buckets.ts";

const MOST = 1_500;
const hours = (edges: readonly Instant[] | null) =>
  (edges ?? [])
    .slice(1)
    .map((edge, place) => (Date.parse(edge) - Date.parse(edges?.[place] ?? "")) / 3_600_000);

it.each([
  ["America/New_York", "2026-03-07T12:00:00.000Z", "2026-03-10T12:00:00.000Z", [24, 23, 24, 24]],
  ["Europe/Lisbon", "2026-10-24T12:00:00.000Z", "2026-10-26T12:00:00.000Z", [24, 25, 24]],
  ["Australia/Lord_Howe", "2026-04-04T00:00:00.000Z", "2026-04-05T20:00:00.000Z", [24, 24.5, 24]],
  ["Asia/Kolkata", "2026-04-04T00:00:00.000Z", "2026-04-04T18:00:00.000Z", [24]],
  ["Pacific/Apia", "2011-12-29T12:00:00.000Z", "2011-12-31T12:00:00.000Z", [24, 24, 24]],
] as const)("a day is as long as %s makes it", (timezone, from, until, lengths) => {
  expect(hours(bucketEdges({ from, until }, "1d", timezone, MOST))).toEqual(lengths);
});

it("begins at the hour of the zone, before the time that is asked for, and ends after it", () => {
  const asked = { from: "2026-09-01T10:10:00.000Z", until: "2026-09-01T11:40:00.000Z" } as const;
  expect(bucketEdges(asked, "1h", "Asia/Kolkata", MOST)).toEqual([
    "2026-09-01T09:30:00.000Z",
    "2026-09-01T10:30:00.000Z",
    "2026-09-01T11:30:00.000Z",
    "2026-09-01T12:30:00.000Z",
  ]);
});

it("tells both hours that a clock goes through twice apart", () => {
  const asked = { from: "2026-11-01T05:00:00.000Z", until: "2026-11-01T08:00:00.000Z" } as const;
  expect(hours(bucketEdges(asked, "1h", "America/New_York", MOST))).toEqual([1, 1, 1]);
});

it("holds so many buckets and not one more", () => {
  const from = "2026-09-01T00:00:00.000Z";
  expect(bucketEdges({ from, until: "2026-09-02T01:00:00.000Z" }, "1m", "UTC", MOST)).toHaveLength(MOST + 1);
  expect(bucketEdges({ from, until: "2026-09-02T01:00:00.001Z" }, "1m", "UTC", MOST)).toBeNull();
});
