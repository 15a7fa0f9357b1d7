import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type ApiKeyScope, allows as scopesAllow } from "../../../contract/scopes.ts";
import type { SessionRecord } from "../../../contract/session.ts";
import { ApiFailure, get, post, remove } from "./request.ts";

export type Scope = ApiKeyScope;

/** null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<SessionRecord | null> => {
    try {
      return await get("/api/v1/session");
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 30_000,
});

export const signIn = (apiKey: string): Promise<SessionRecord> =>
  post("/api/v1/session", { body: { apiKey } });
export const signOut = (): Promise<unknown> => remove("/api/v1/session");

/**
 * Nobody is signed in any more: loaded data is dropped. The session query itself stays, so that its
 * observers are notified.
 */
export function forget(queries: QueryClient): void {
  queries.setQueryData(sessionQuery.queryKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Whether the scopes allow it; `admin` and `operator` include others as in the API. */
export function allows({ scopes }: SessionRecord, scope: Scope): boolean {
  return scopesAllow(scopes, scope);
}
