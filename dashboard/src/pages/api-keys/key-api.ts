import { infiniteQueryOptions } from "@tanstack/react-query";
import { query, remove, request } from "../../api/request.ts";

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
] as const;

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
};
/** `key` null: it was shown in an earlier answer. */
export type IssuedKey = ApiKey & { readonly key: string | null };
export type KeyDraft = {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: string;
};

export const keysQuery = infiniteQueryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ pageParam, signal }) =>
    request<readonly ApiKey[]>("GET", `/api/v1/api-keys${query({ limit: 50, cursor: pageParam })}`, {
      signal,
    }),
  initialPageParam: "",
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});

export const issueKey = async (draft: KeyDraft): Promise<IssuedKey> =>
  (await request<IssuedKey>("POST", "/api/v1/api-keys", { body: draft })).data;

export const revokeKey = (id: string): Promise<unknown> => remove(`/api/v1/api-keys/${id}`);
