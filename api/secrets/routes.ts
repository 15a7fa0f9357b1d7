import { z } from "zod";
import { answer, list, pageFields } from "../../contract/fields.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { notFound, validationError } from "../errors.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { SECRET_NAME, secret, secretBody, secretDeleted } from "./schemas.ts";

const TAGS = ["secrets"];
const params = pathParams("name");
const secrets = { list: "secrets", parse: (text: string) => (SECRET_NAME.test(text) ? text : null) };

/** Write-only values for tools (docs/api.md §3). */
export function registerSecrets(api: Api, deps: ApiDeps): void {
  registerPut(api, deps);
  registerList(api, deps);
  registerDeletion(api, deps);
}

function registerPut(api: Api, deps: ApiDeps): void {
  api.put(
    "/api/v1/secrets/:name",
    {
      schema: {
        operationId: "putSecret",
        summary: "Keeps a secret; its value is never read back",
        tags: TAGS,
        params,
        body: secretBody,
        response: { 200: answer(secret) },
      },
      config: { scope: "tools:write" },
    },
    async (request, reply) => {
      const { name } = request.params;
      if (!SECRET_NAME.test(name)) {
        const message = "Must be 1 to 64 of A-Z, 0-9 and _";
        throw validationError("The path", [{ path: ["name"], message }]);
      }
      const record = await deps.configuration.secrets.put(callerOf(request).owner, name, request.body.value);
      await configurationWritten(deps, reply);
      return data(record);
    },
  );
}

function registerList(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/secrets",
    {
      schema: {
        operationId: "listSecrets",
        summary: "Names of secrets, by name",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(secret) },
      },
      config: { scope: "tools:read" },
    },
    async (request) => {
      const page = pageRequest(secrets, request.query);
      return listAnswer(secrets, page, await deps.configuration.secrets.list(callerOf(request).owner, page));
    },
  );
}

function registerDeletion(api: Api, deps: ApiDeps): void {
  api.delete(
    "/api/v1/secrets/:name",
    {
      schema: {
        operationId: "deleteSecret",
        summary: "Deletes a secret",
        tags: TAGS,
        params,
        response: { 200: answer(secretDeleted) },
      },
      config: { scope: "tools:write", errors: ["SECRET_NOT_FOUND"] },
    },
    async (request, reply) => {
      const { name } = request.params;
      const gone =
        SECRET_NAME.test(name) && (await deps.configuration.secrets.delete(callerOf(request).owner, name));
      if (!gone) throw notFound("SECRET_NOT_FOUND", "Secret");
      await configurationWritten(deps, reply);
      return data({ name, deleted: true as const });
    },
  );
}
