import { accountRoutes } from "../../contract/account.ts";
import { type Instant, instantFromMillis, millisOf, plusMillis } from "../../domain/shared/instant.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { of } from "../route.ts";

const DAY_MILLIS = 86_400_000;
const MOST_DAYS = 366;
/** Days in the answer by default: the last ones, today included. */
const USUAL_DAYS = 30;

/** docs/api.md §2: totals of an owner's calls, day by day. */
export function registerUsage(api: Api, { queries, clock }: ApiDeps): void {
  api.route({
    ...of(accountRoutes.getUsage),
    handler: async (request) => {
      const days = daysOf(request.query, clock.now());
      const [from = "", until = ""] = [days[0], days.at(-1)];
      const known = new Map(
        (await queries.usage(callerOf(request).owner, from, until)).map((row) => [row.day, row]),
      );
      return data({ days: days.map((day) => known.get(day) ?? { day, ...NOTHING }) });
    },
  });
}

const NOTHING = { calls: 0, talkSeconds: 0, inputTokens: 0, outputTokens: 0, rehearsalTokens: 0 };

function daysOf(
  { from, until }: { readonly from?: Instant | undefined; readonly until?: Instant | undefined },
  now: Instant,
): readonly string[] {
  // Today is the last day, also for a request at midnight.
  const end = until === undefined ? dayOf(now) : dayOf(plusMillis(until, -1));
  const begin = from === undefined ? end - (USUAL_DAYS - 1) * DAY_MILLIS : dayOf(from);
  if (until !== undefined && from !== undefined && from >= until)
    throw refused("until", "Must be later than from");
  const count = (end - begin) / DAY_MILLIS + 1;
  if (count > MOST_DAYS) throw refused("from", `Must reach over ${MOST_DAYS} days at the most`);
  if (count < 1) throw refused("from", "Must not be in the future");
  return Array.from({ length: count }, (_, place) =>
    instantFromMillis(begin + place * DAY_MILLIS).slice(0, 10),
  );
}

function dayOf(at: Instant): number {
  return Math.floor(millisOf(at) / DAY_MILLIS) * DAY_MILLIS;
}

function refused(name: string, message: string) {
  return validationError("The query", [{ path: [name], message }]);
}
