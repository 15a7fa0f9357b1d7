import { userRoutes } from "../../contract/user.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { withoutKey } from "../api-keys/routes.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { configurationWritten } from "../positions.ts";
import { changed, listed, made } from "../records.ts";
import { of } from "../route.ts";

const users = { list: "users", parse: (text: string) => parseId("usr", text) };

/** Owners of this installation (docs/api.md §2). */
export function registerUsers(api: Api, deps: ApiDeps): void {
  registerCreating(api, deps);
  registerAdminKey(api, deps);
  registerRest(api, deps);
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(userRoutes.createUser),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { userId: deps.ids.next("usr"), apiKeyId: deps.ids.next("key") },
        make: async (ids) => {
          const { name, plan = {}, credits } = request.body;
          const created = await deps.configuration.users.create({
            id: found("usr", parseId("usr", String(ids["userId"]))),
            apiKeyId: found("key", parseId("key", String(ids["apiKeyId"]))),
            name,
            plan: given(plan),
            credits: credits === undefined ? null : creditsToUnits(credits),
          });
          await configurationWritten(deps, reply);
          const { id, name: keyName, scopes, key } = created.apiKey;
          const apiKey = { id, name: keyName, scopes, key };
          return { status: 201, body: data({ user: created.user, apiKey }) };
        },
        kept: ({ data: { user, apiKey } }) => data({ user, apiKey: { ...apiKey, key: null } }),
      }),
  });
}

function registerAdminKey(api: Api, deps: ApiDeps): void {
  const { users: owners, apiKeys } = deps.configuration;
  api.route({
    ...of(userRoutes.createAdminKey),
    handler: (request, reply) =>
      made(
        deps,
        request,
        reply,
        ["key", "apiKeyId"],
        async (id) => {
          const owner = found("usr", await owners.get(pathId("usr", request.params.id))).id;
          const { name = "admin key" } = request.body ?? {};
          return apiKeys.create(owner, id, { name, scopes: ["admin"], expiresAt: null });
        },
        withoutKey,
      ),
  });
}

function registerRest(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(userRoutes.listUsers),
    handler: (request) => listed(users, request.query, (page) => deps.configuration.users.list(page)),
  });
  api.route({
    ...of(userRoutes.changeUser),
    handler: (request, reply) =>
      changed(deps, reply, "usr", request.params.id, async (id) => {
        const { plan, ...rest } = request.body;
        const wanted = plan === undefined ? {} : { plan: plan === null ? null : given(plan) };
        const changes = { ...given(rest), ...wanted };
        const saved = await deps.configuration.users.change(id, changes);
        if (saved.saved) return saved.value;
        throw saved.reason === "not_found"
          ? unknownId("usr")
          : new ApiError("CONFLICT", "The operator's own owner stays active");
      }),
  });
}
