/** What a key may do, and what a route needs; names of docs/api.md §2. */
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

export type ApiKeyScope = (typeof SCOPES)[number];

/** For a route that every key may use, and that answers only what the key may read. */
export const ANY_SCOPE = "any";

/** admin includes all scopes except operator; write does not include read. */
export function allows(scopes: readonly ApiKeyScope[], needed: ApiKeyScope): boolean {
  return scopes.includes(needed) || (needed !== "operator" && scopes.includes("admin"));
}
