import { type ApiKeyBody, apiKeyRoutes, type IssuedApiKey } from "../../contract/api-key.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { parseId } from "../ids.ts";
import { deleted, listed, made } from "../records.ts";
import { of } from "../route.ts";

const keys = { list: "api-keys", parse: (text: string) => parseId("key", text) };

/** docs/api.md §2. */
export function registerApiKeys(api: Api, deps: ApiDeps): void {
  const { apiKeys } = deps.configuration;
  api.route({
    ...of(apiKeyRoutes.createApiKey),
    handler: (request, reply) =>
      made(
        deps,
        request,
        reply,
        ["key", "apiKeyId"],
        (id) => {
          const { owner, scopes } = callerOf(request);
          checkDraft(deps, request.body, scopes.includes("operator"));
          const { name, scopes: wanted, expiresAt = null } = request.body;
          return apiKeys.create(owner, id, { name, scopes: wanted, expiresAt });
        },
        withoutKey,
      ),
  });
  api.route({
    ...of(apiKeyRoutes.listApiKeys),
    handler: (request) => listed(keys, request.query, (page) => apiKeys.list(callerOf(request).owner, page)),
  });
  api.route({
    ...of(apiKeyRoutes.revokeApiKey),
    handler: (request, reply) =>
      deleted(deps, reply, "key", request.params.id, async (id) => {
        const revoked = await apiKeys.revoke(callerOf(request).owner, id);
        if (!revoked.saved && revoked.reason !== "not_found")
          throw new ApiError("CONFLICT", LAST_KEYS[revoked.reason]);
        return revoked.saved;
      }),
  });
}

/** For a repeat of the request that made it. */
export const withoutKey = (issued: IssuedApiKey): IssuedApiKey => ({ ...issued, key: null });

/** Only an operator can make another operator; an expiry in the past is refused. */
function checkDraft({ clock }: ApiDeps, { scopes, expiresAt }: ApiKeyBody, operator: boolean): void {
  const details: { path: string[]; message: string }[] = [];
  if (scopes.includes("operator") && !operator) {
    details.push({ path: ["scopes"], message: "Only a key with the scope operator can make another" });
  }
  if (expiresAt !== undefined && expiresAt !== null && millisOf(expiresAt) <= clock.nowMillis()) {
    details.push({ path: ["expiresAt"], message: "Must lie in the future" });
  }
  if (details.length > 0) throw validationError("The request body", details);
}

const LAST_KEYS = {
  last_operator_key:
    "This is the last key that can do all it can as operator and never expires; make another one first",
  last_admin_key: "This is the last key with the scope admin that never expires; make another one first",
} as const;
