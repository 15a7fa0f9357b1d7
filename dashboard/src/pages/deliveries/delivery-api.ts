import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { BodyOf, RouteAt } from "../../../../contract/asking.ts";
import type { DeliveryRecord, ReplaysRecord } from "../../../../contract/delivery.ts";
import { ask, get, post } from "../../api/request.ts";
import { askedAgainIn } from "./asked-again.ts";
import type { Filter } from "./search.ts";

export const DELIVERIES = "deliveries";

export const deliveriesQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [DELIVERIES, filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      ask("GET", "/api/v1/webhook/deliveries", { query: { ...filter, limit: 50, cursor }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    refetchInterval: ({ state }) => askedAgainIn(state.data?.pages.flatMap(({ data }) => data) ?? []),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["delivery", id],
    queryFn: ({ signal }) => get("/api/v1/webhook/deliveries/:id", { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => askedAgainIn(data === undefined ? [] : [data]),
  });

export const replay = (id: string): Promise<DeliveryRecord> =>
  post("/api/v1/webhook/deliveries/:id/replay", { params: { id } });

/** `to` is exclusive; `events` absent: the kinds that the endpoint receives. */
export type Range = BodyOf<RouteAt<"POST", "/api/v1/webhook/replays">>;
export type Counted = { readonly count: number; readonly isMore: boolean };

/** Beyond that a count says "more than". */
const MOST_PAGES = 10;

/**
 * How many events of the range the log has. The list is newest first, so it is read to the
 * beginning of the range.
 */
export async function countRange({ from, to, events }: Range): Promise<Counted> {
  const found = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const event = events?.[0];
    const { data, pagination } = await ask("GET", "/api/v1/webhook/deliveries", {
      query: { event, limit: 200, cursor },
    });
    for (const { eventId, createdAt, trigger } of data)
      if (trigger === "auto" && createdAt >= from && createdAt < to) found.add(eventId);
    cursor = pagination?.nextCursor ?? undefined;
    const isOver = (data.at(-1)?.createdAt ?? "") < from;
    if (cursor === undefined || isOver) return { count: found.size, isMore: false };
  }
  return { count: found.size, isMore: true };
}

export const replayRange = (body: Range): Promise<ReplaysRecord> => {
  const headers = { "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-") };
  return post("/api/v1/webhook/replays", { body, headers });
};
