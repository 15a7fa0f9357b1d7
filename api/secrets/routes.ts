import { SECRET_NAME, secretRoutes } from "../../contract/secret.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { notFound, validationError } from "../errors.ts";
import { configurationWritten } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";

const secrets = { list: "secrets", parse: (text: string) => (SECRET_NAME.test(text) ? text : null) };

/** Write-only values for tools (docs/api.md §3). */
export function registerSecrets(api: Api, deps: ApiDeps): void {
  registerPut(api, deps);
  registerList(api, deps);
  registerDeletion(api, deps);
}

function registerPut(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(secretRoutes.putSecret),
    handler: async (request, reply) => {
      const { name } = request.params;
      if (!SECRET_NAME.test(name)) {
        const message = "Must be 1 to 64 of A-Z, 0-9 and _";
        throw validationError("The path", [{ path: ["name"], message }]);
      }
      const record = await deps.configuration.secrets.put(callerOf(request).owner, name, request.body.value);
      await configurationWritten(deps, reply);
      return data(record);
    },
  });
}

function registerList(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(secretRoutes.listSecrets),
    handler: (request) =>
      listed(secrets, request.query, (page) =>
        deps.configuration.secrets.list(callerOf(request).owner, page),
      ),
  });
}

function registerDeletion(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(secretRoutes.deleteSecret),
    handler: async (request, reply) => {
      const { name } = request.params;
      const wasThere =
        SECRET_NAME.test(name) && (await deps.configuration.secrets.delete(callerOf(request).owner, name));
      if (!wasThere) throw notFound("SECRET_NOT_FOUND", "Secret");
      await configurationWritten(deps, reply);
      return data({ name, deleted: true as const });
    },
  });
}
