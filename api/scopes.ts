import type { ApiKeyScope } from "../application/ports/configuration/api-keys.ts";

/** What a route asks for; the names of docs/api.md §2. */
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
] as const satisfies readonly ApiKeyScope[];

/** Of a route that any key may ask, and that answers what it may read. */
export const ANY_SCOPE = "any";

/** admin is all of them but operator; write does not include read. */
export function allows(scopes: readonly ApiKeyScope[], needed: ApiKeyScope): boolean {
  return scopes.includes(needed) || (needed !== "operator" && scopes.includes("admin"));
}
