import { callSeriesRoutes, type SeriesStep } from "../../contract/call-series.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import { bucketEdges } from "../../domain/shared/time-buckets.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { telling } from "../positions.ts";
import { of } from "../route.ts";
import { awaitBackground } from "../search/search-query.ts";

const MOST_POINTS = 1_500;
const DAY_MILLIS = 86_400_000;

/** docs/api.md §4. */
export function registerCallSeries(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(callSeriesRoutes.getCallSeries),
    handler: async (request, reply) => {
      const { step, by } = request.query;
      const edges = edgesOf(request.query, deps.clock.now());
      await awaitBackground(deps, request);
      const { owner } = callerOf(request);
      const counted = await deps.queries.callSeries(owner, { edges, by }, telling(reply));
      const [from = deps.clock.now(), until = from] = [edges[0], edges.at(-1)];
      return data({ from, until, step, series: counted });
    },
  });
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
