import { type ApiKeyBody, apiKeyRoutes } from "../../contract/api-key.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { of } from "../route.ts";

const keys = { list: "api-keys", parse: (text: string) => parseId("key", text) };

/** docs/api.md §2. */
export function registerApiKeys(api: Api, deps: ApiDeps): void {
  registerCreating(api, deps);
  registerRest(api, deps);
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(apiKeyRoutes.createApiKey),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { apiKeyId: deps.ids.next("key") },
        make: async (made) => {
          const { owner, scopes } = callerOf(request);
          checkDraft(deps, request.body, scopes.includes("operator"));
          const { name, scopes: wanted, expiresAt = null } = request.body;
          const id = found("key", parseId("key", String(made["apiKeyId"])));
          const draft = { name, scopes: wanted, expiresAt };
          const issued = await deps.configuration.apiKeys.create(owner, id, draft);
          await configurationWritten(deps, reply);
          return { status: 201, body: data(issued) };
        },
        kept: ({ data: issued }) => data({ ...issued, key: null }),
      }),
  });
}

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

function registerRest(api: Api, deps: ApiDeps): void {
  const { apiKeys } = deps.configuration;
  api.route({
    ...of(apiKeyRoutes.listApiKeys),
    handler: async (request) => {
      const page = pageRequest(keys, request.query);
      return listAnswer(keys, page, await apiKeys.list(callerOf(request).owner, page));
    },
  });
  api.route({
    ...of(apiKeyRoutes.revokeApiKey),
    handler: async (request, reply) => {
      const id = pathId("key", request.params.id);
      const revoked = await apiKeys.revoke(callerOf(request).owner, id);
      if (!revoked.saved) {
        throw revoked.reason === "not_found"
          ? unknownId("key")
          : new ApiError("CONFLICT", LAST_KEYS[revoked.reason]);
      }
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  });
}
