import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { get, post, query, request } from "../../api/request.ts";
import { askedAgainIn } from "./asked-again.ts";

export const STATUSES = ["pending", "sending", "delivered", "retrying", "held", "dead"] as const;
type Status = (typeof STATUSES)[number];
type Trigger = "auto" | "manual" | "test";

export type Delivery = {
  readonly id: string;
  readonly eventId: string;
  readonly event: string;
  readonly callId: string | null;
  readonly campaignId: string | null;
  readonly status: Status;
  readonly trigger: Trigger;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
};

export type Attempt = {
  readonly number: number;
  readonly trigger: Trigger | "recovery";
  readonly startedAt: string;
  readonly class:
    | "delivered"
    | "gone"
    | "throttled"
    | "redirect"
    | "refused"
    | "unreachable"
    | "blocked"
    | "unknown";
  readonly status: number | null;
  readonly detail: string | null;
  /** Milliseconds; null: it was not needed, or not reached. */
  readonly phases: {
    readonly dns: number | null;
    readonly connect: number | null;
    readonly tls: number | null;
    readonly firstByte: number | null;
    readonly total: number;
  } | null;
  readonly response: string | null;
  readonly remoteAddress: string | null;
  readonly nextAttemptAt: string | null;
};

export type DeliveryDetail = Delivery & {
  readonly body: string | null;
  readonly attemptLog: readonly Attempt[];
};

export type Filter = {
  readonly event?: string;
  readonly status?: string;
  readonly callId?: string;
};

/** State of the page in its URL; `id`: the open delivery. */
export type DeliverySearch = Filter & { readonly id?: string };

export const DELIVERIES = "deliveries";

export const deliveriesQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [DELIVERIES, filter],
    queryFn: ({ pageParam, signal }) => {
      const path = `/api/v1/webhook/deliveries${query({ ...filter, limit: 50, cursor: pageParam })}`;
      return request<readonly Delivery[]>("GET", path, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    refetchInterval: ({ state }) => askedAgainIn(state.data?.pages.flatMap(({ data }) => data) ?? []),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["delivery", id],
    queryFn: ({ signal }) => get<DeliveryDetail>(`/api/v1/webhook/deliveries/${id}`, signal),
    refetchInterval: ({ state: { data } }) => askedAgainIn(data === undefined ? [] : [data]),
  });

export const replay = (id: string): Promise<Delivery> =>
  post<Delivery>(`/api/v1/webhook/deliveries/${id}/replay`);

/** `to` is exclusive; `events` absent: the kinds that the endpoint receives. */
export type Range = { readonly from: string; readonly to: string; readonly events?: readonly string[] };
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
    const path = `/api/v1/webhook/deliveries${query({ event, limit: 200, cursor })}`;
    const { data, pagination } = await request<readonly Delivery[]>("GET", path);
    for (const { eventId, createdAt, trigger } of data)
      if (trigger === "auto" && createdAt >= from && createdAt < to) found.add(eventId);
    cursor = pagination?.nextCursor ?? undefined;
    const isOver = (data.at(-1)?.createdAt ?? "") < from;
    if (cursor === undefined || isOver) return { count: found.size, isMore: false };
  }
  return { count: found.size, isMore: true };
}

export const replayRange = (range: Range): Promise<{ readonly deliveries: number }> =>
  post("/api/v1/webhook/replays", range, {
    "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-"),
  });
