import { infiniteQueryOptions } from "@tanstack/react-query";
import { ask } from "../../api/request.ts";
import type { Scope } from "../../api/session.ts";

export const SCOPES = [
  "calls:read",
  "calls:write",
  "campaigns:read",
  "campaigns:write",
  "squads:read",
  "squads:write",
  "tools:read",
  "tools:write",
  "assistants:*",
  "phone-numbers:*",
  "webhooks:*",
  "events:read",
  "account:read",
  "admin",
  "operator",
] as const satisfies readonly Scope[];

export const keysQuery = infiniteQueryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ pageParam, signal }) =>
    ask("GET", "/api/v1/api-keys", { query: { limit: 50, cursor: pageParam }, signal }),
  initialPageParam: "",
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});
