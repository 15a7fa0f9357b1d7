import { z } from "zod";
import {
  SERIES_STEPS,
  SERIES_VALUES,
  type SeriesStep,
} from "../../application/ports/queries/series-records.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import { bucketEdges } from "../../domain/shared/time-buckets.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { telling } from "../positions.ts";
import { answer, instant, instantInput, timezone } from "../schema.ts";
import { awaitAside } from "../search/search-query.ts";

const MOST_POINTS = 1_500;
const DAY_MILLIS = 86_400_000;

const seriesQuery = z.object({
  from: instantInput.optional(),
  until: instantInput.optional(),
  step: z.enum(SERIES_STEPS).default("1h"),
  timezone: timezone.default("UTC"),
  by: z.enum(SERIES_VALUES).default("status"),
});

const series = z
  .object({
    from: instant,
    until: instant,
    step: z.enum(SERIES_STEPS),
    series: z.record(z.string(), z.array(z.number().meta({ type: "integer", minimum: 0 }))),
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

/** docs/api.md §4. */
export function registerCallSeries(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/calls/series",
    {
      schema: {
        operationId: "getCallSeries",
        summary: "How many calls were made when, and what became of them",
        description:
          "Calls in buckets of the moment at which they were made, by the clock of `timezone`: a day has the 23, 24 or 25 hours that it had there. `from` and `until` are widened to whole buckets, as the answer says; left out: the 24 hours before `until`, until now. At most 1,500 buckets. With `by=endReason` calls that have not ended are left out.",
        tags: ["calls"],
        querystring: seriesQuery,
        response: { 200: answer(series) },
      },
      config: { scope: "calls:read" },
    },
    async (request, reply) => {
      const { step, by } = request.query;
      const edges = edgesOf(request.query, deps.clock.now());
      await awaitAside(deps, request);
      const { owner } = callerOf(request);
      const counted = await deps.queries.callSeries(owner, { edges, by }, telling(reply));
      const [from = "", until = ""] = [edges[0], edges.at(-1)];
      return data({ from, until, step, series: counted });
    },
  );
}

function edgesOf(
  query: {
    readonly from?: Instant | undefined;
    readonly until?: Instant | undefined;
    readonly step: SeriesStep;
    readonly timezone: string;
  },
  now: Instant,
): readonly Instant[] {
  const { until = now, step } = query;
  const { from = plusMillis(until, -DAY_MILLIS) } = query;
  if (from >= until) throw refused("from", "Must be earlier than until");
  const edges = bucketEdges({ from, until }, step, query.timezone, MOST_POINTS);
  if (edges === null) throw refused("step", `Makes more than ${MOST_POINTS} points of this time`);
  return edges;
}

function refused(name: string, message: string) {
  return validationError("The query", [{ path: [name], message }]);
}
