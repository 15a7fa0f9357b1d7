import { z } from "zod";
import { answer, list, pageFields } from "../../contract/fields.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { shownKey } from "../api-keys/routes.ts";
import { issuedApiKey } from "../api-keys/schemas.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { adminKeyBody, changeUserBody, newUser, user, userBody } from "./schemas.ts";

const TAGS = ["users"];
const users = { list: "users", parse: (text: string) => parseId("usr", text) };
const scope = "operator";

/** Owners of this installation (docs/api.md §2). */
export function registerUsers(api: Api, deps: ApiDeps): void {
  registerCreating(api, deps);
  registerAdminKey(api, deps);
  registerRest(api, deps);
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/users",
    {
      schema: {
        operationId: "createUser",
        summary: "Makes an owner with a first admin key, which is shown in this one answer",
        tags: TAGS,
        body: userBody,
        response: { 201: answer(newUser) },
      },
      config: { scope, idempotent: true },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: { userId: deps.ids.next("usr"), apiKeyId: deps.ids.next("key") },
        make: async (made) => {
          const { name, plan = {}, credits } = request.body;
          const created = await deps.configuration.users.create({
            id: found("usr", parseId("usr", String(made["userId"]))),
            apiKeyId: found("key", parseId("key", String(made["apiKeyId"]))),
            name,
            plan: given(plan),
            credits: credits === undefined ? null : creditsToUnits(credits),
          });
          await configurationWritten(deps, reply);
          const { record, key } = created.apiKey;
          const apiKey = { id: record.id, name: record.name, scopes: record.scopes, key };
          return { status: 201, body: data({ user: created.user, apiKey }) };
        },
        kept: ({ data: { user: made, apiKey } }) => data({ user: made, apiKey: { ...apiKey, key: null } }),
      }),
  );
}

function registerAdminKey(api: Api, deps: ApiDeps): void {
  const { users: owners, apiKeys } = deps.configuration;
  api.post(
    "/api/v1/users/:id/api-keys",
    {
      schema: {
        operationId: "createAdminKey",
        summary: "Makes a new admin key for an owner that lost its own; it is shown in this one answer",
        tags: TAGS,
        params: pathParams("id"),
        body: adminKeyBody,
        response: { 201: answer(issuedApiKey) },
      },
      config: { scope, idempotent: true, errors: ["USER_NOT_FOUND"] },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: { apiKeyId: deps.ids.next("key") },
        make: async (made) => {
          const owner = found("usr", await owners.get(pathId("usr", request.params.id))).id;
          const id = found("key", parseId("key", String(made["apiKeyId"])));
          const { name = "admin key" } = request.body ?? {};
          const issued = await apiKeys.create(owner, id, { name, scopes: ["admin"], expiresAt: null });
          await configurationWritten(deps, reply);
          return { status: 201, body: data(shownKey(issued)) };
        },
        kept: ({ data: issued }) => data({ ...issued, key: null }),
      }),
  );
}

function registerRest(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/users",
    {
      schema: {
        operationId: "listUsers",
        summary: "Owners, newest first",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(user) },
      },
      config: { scope },
    },
    async (request) => {
      const page = pageRequest(users, request.query);
      return listAnswer(users, page, await deps.configuration.users.list(page));
    },
  );
  api.patch(
    "/api/v1/users/:id",
    {
      schema: {
        operationId: "changeUser",
        summary: "Changes name, plan or whether the owner is active",
        tags: TAGS,
        params: pathParams("id"),
        body: changeUserBody,
        response: { 200: answer(user) },
      },
      config: { scope, errors: ["USER_NOT_FOUND", "CONFLICT"] },
    },
    async (request, reply) => {
      const id = pathId("usr", request.params.id);
      const { plan, ...rest } = request.body;
      const changes = { ...given(rest), ...(plan === undefined ? {} : { plan: given(plan) }) };
      const changed = await deps.configuration.users.change(id, changes);
      if (!changed.saved) {
        throw changed.reason === "not_found"
          ? unknownId("usr")
          : new ApiError("CONFLICT", "The operator's own owner stays active");
      }
      await configurationWritten(deps, reply);
      return data(changed.value);
    },
  );
}
