import { z } from "zod";
import { answer, count, type DeepReadonly, instant, instantInput, timezone } from "./fields.ts";
import { routes } from "./route.ts";

const SERIES_STEPS = ["1m", "1h", "1d"] as const;
export type SeriesStep = (typeof SERIES_STEPS)[number];
const SERIES_VALUES = ["status", "endReason"] as const;
/** The property by which the calls of a bucket are counted. */
export type SeriesBy = (typeof SERIES_VALUES)[number];

const seriesQuery = z.object({
  from: instantInput.optional().describe("From the bucket that holds this time: ISO 8601 with offset"),
  until: instantInput
    .optional()
    .describe("To the bucket that holds what is before this time: ISO 8601 with offset"),
  step: z.enum(SERIES_STEPS).default("1h").describe("How long a bucket is: a minute, an hour, a day"),
  timezone: timezone.default("UTC").describe("IANA time zone whose hours and days they are"),
  by: z.enum(SERIES_VALUES).default("status").describe("What the calls of a bucket are told apart by"),
});

const series = z
  .object({
    from: instant.describe("Where the first bucket begins; ISO 8601, UTC"),
    until: instant.describe("Where the last bucket ends; ISO 8601, UTC"),
    step: z.enum(SERIES_STEPS).describe("How long a bucket is"),
    series: z
      .record(z.string(), z.array(count))
      .describe(
        "By status or endReason, number of calls of each bucket in order; values that do not occur are left out",
      ),
  })
  .meta({
    id: "CallSeries",
    examples: [
      {
        from: "2026-09-01T09:00:00.000Z",
        until: "2026-09-01T12:00:00.000Z",
        step: "1h",
        series: { completed: [12, 9, 0], failed: [1, 0, 0] },
      },
    ],
  });

/** By value, a count for each bucket; values that do not occur are left out. */
export type CallSeries = DeepReadonly<z.infer<typeof series>["series"]>;

export const callSeriesRoutes = routes({
  getCallSeries: {
    method: "GET",
    path: "/api/v1/calls/series",
    tag: "calls",
    summary: "How many calls were made when, and what became of them",
    description:
      "Calls in buckets of the moment at which they were made, by the clock of `timezone`: a day has the 23, 24 or 25 hours that it had there. `from` and `until` are widened to whole buckets, as the answer says; left out: the 24 hours before `until`, until now. At most 1,500 buckets. With `by=endReason` calls that have not ended are left out.",
    scope: "calls:read",
    query: seriesQuery,
    answers: { 200: answer(series) },
  },
});
