import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api/request.ts";

/** null: no endpoint was ever set. Deliveries are not events of the feed, so it is polled. */
export const webhookQuery = queryOptions({
  queryKey: ["webhook"],
  queryFn: ({ signal }) => get("/api/v1/webhook", { signal }),
  refetchInterval: 5_000,
});

/** Requested only for an existing endpoint, because the request would create a secret. */
export const secretQuery = queryOptions({
  queryKey: ["webhook", "secret"],
  queryFn: async () => (await post("/api/v1/webhook/secret")).secret,
  staleTime: 60_000,
});
