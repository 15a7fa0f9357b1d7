import { queryOptions } from "@tanstack/react-query";
import type { CallSeries, SeriesBy } from "../../../../contract/call-series.ts";
import type { CampaignStatus } from "../../api/campaigns.ts";
import { ApiFailure, ask, get } from "../../api/request.ts";
import { daysOf } from "./days-left.ts";

export const CAMPAIGNS = "overview-campaigns";
const SHOWN = 200;
/** Each figure is a request of its own, so they are refreshed seldom. */
export const SELDOM = { every: 3_000 };

const campaignsIn = (status: CampaignStatus, signal: AbortSignal) =>
  ask("GET", "/api/v1/campaigns", { query: { status, limit: SHOWN }, signal }).then(({ data }) => data);

/** Campaigns that are running, and those that are paused for an automatic reason. */
export const openCampaignsQuery = (enabled: boolean) =>
  queryOptions({
    queryKey: [CAMPAIGNS],
    queryFn: async ({ signal }) => {
      const [running, paused, any] = await Promise.all([
        campaignsIn("RUNNING", signal),
        campaignsIn("PAUSED", signal),
        ask("GET", "/api/v1/campaigns", { query: { limit: 1 }, signal }).then(({ data }) => data),
      ]);
      return { running, paused, hasAny: any.length > 0 };
    },
    enabled,
  });

export type Today = { readonly calls: number; readonly endings: readonly (readonly [string, number])[] };

/**
 * Calls since local midnight by end reason, the most frequent first. null: this service does not count them.
 */
export async function today(signal: AbortSignal): Promise<Today | null> {
  const from = new Date();
  from.setHours(0, 0, 0, 0);
  const until = new Date(from.getTime() + 86_400_000);
  const range = { from: from.toISOString(), until: until.toISOString(), step: "1h" } as const;
  const series = async (by: SeriesBy) =>
    totals((await get("/api/v1/calls/series", { query: { ...range, by }, signal })).series);
  try {
    const [statuses, endings] = await Promise.all([series("status"), series("endReason")]);
    const calls = statuses.reduce((sum, [, count]) => sum + count, 0);
    return { calls, endings: endings.toSorted(([, one], [, other]) => other - one) };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

const totals = (series: CallSeries): (readonly [string, number])[] =>
  Object.entries(series).map(([value, counts]) => [value, counts.reduce((sum, count) => sum + count, 0)]);

/**
 * How many days the credits last: by the recent cost of a call, and the number of calls a day in the last
 * week. null: nothing was spent.
 */
export async function daysLeft(available: number, signal: AbortSignal): Promise<number | null> {
  const weekAgo = new Date(Date.now() - 6 * 86_400_000).toISOString();
  const [ledger, usage] = await Promise.all([
    get("/api/v1/account/ledger", { query: { limit: 200 }, signal }),
    get("/api/v1/account/usage", { query: { from: weekAgo }, signal }),
  ]);
  return daysOf(available, ledger, usage);
}
