import { z } from "zod";
import type { IssuedApiKey } from "../../application/ports/configuration/api-keys.ts";
import { answer, list, pageFields } from "../../contract/fields.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { type ApiKeyBody, apiKey, apiKeyBody, apiKeyDeleted, issuedApiKey } from "./schemas.ts";

const TAGS = ["API keys"];
const keys = { list: "api-keys", parse: (text: string) => parseId("key", text) };

/** docs/api.md §2. */
export function registerApiKeys(api: Api, deps: ApiDeps): void {
  registerCreating(api, deps);
  registerRest(api, deps);
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/api-keys",
    {
      schema: {
        operationId: "createApiKey",
        summary: "Makes a key; it is shown in this one answer",
        tags: TAGS,
        body: apiKeyBody,
        response: { 201: answer(issuedApiKey) },
      },
      config: { scope: "admin", idempotent: true },
    },
    (request, reply) =>
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
          return { status: 201, body: data(shownKey(issued)) };
        },
        kept: ({ data: issued }) => data({ ...issued, key: null }),
      }),
  );
}

export function shownKey({ record, key }: IssuedApiKey) {
  return { ...record, key };
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
  api.get(
    "/api/v1/api-keys",
    {
      schema: {
        operationId: "listApiKeys",
        summary: "Keys of this owner, newest first; never their secrets",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(apiKey) },
      },
      config: { scope: "admin" },
    },
    async (request) => {
      const page = pageRequest(keys, request.query);
      return listAnswer(keys, page, await apiKeys.list(callerOf(request).owner, page));
    },
  );
  api.delete(
    "/api/v1/api-keys/:id",
    {
      schema: {
        operationId: "revokeApiKey",
        summary: "Revokes a key at once",
        tags: TAGS,
        params: pathParams("id"),
        response: { 200: answer(apiKeyDeleted) },
      },
      config: { scope: "admin", errors: ["API_KEY_NOT_FOUND", "CONFLICT"] },
    },
    async (request, reply) => {
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
  );
}
