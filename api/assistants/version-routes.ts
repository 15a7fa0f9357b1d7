import { z } from "zod";
import { answer, list, noBody, pageFields } from "../../contract/fields.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { found, pathId } from "../ids.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { assistant, assistantVersion } from "./schemas.ts";

const TAGS = ["assistants"];
const versions = { list: "versions", parse: parseWhole };
const params = pathParams("id");
const scope = "assistants:*";
const errors = ["ASSISTANT_NOT_FOUND"] as const;

export function registerVersions(api: Api, deps: ApiDeps): void {
  const { assistants } = deps.configuration;
  const schema = { tags: TAGS, params, body: noBody, response: { 200: answer(assistant) } };
  api.post(
    "/api/v1/assistants/:id/publish",
    {
      schema: {
        ...schema,
        operationId: "publishAssistant",
        summary: "Freezes the draft as the next version",
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const id = pathId("ast", request.params.id);
      const published = found("ast", await assistants.publish(callerOf(request).owner, id));
      await configurationWritten(deps, reply);
      return data(published);
    },
  );
  api.post(
    "/api/v1/assistants/:id/unpublish",
    {
      schema: {
        ...schema,
        operationId: "unpublishAssistant",
        summary: "No call begins with it any more",
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const id = pathId("ast", request.params.id);
      const unpublished = found("ast", await assistants.unpublish(callerOf(request).owner, id));
      await configurationWritten(deps, reply);
      return data(unpublished);
    },
  );
  api.get(
    "/api/v1/assistants/:id/versions",
    {
      schema: {
        operationId: "listAssistantVersions",
        summary: "Published versions, newest first",
        tags: TAGS,
        params,
        querystring: z.object(pageFields),
        response: { 200: list(assistantVersion) },
      },
      config: { scope, errors },
    },
    async (request) => {
      const id = pathId("ast", request.params.id);
      const page = pageRequest(versions, request.query);
      const rows = found("ast", await assistants.versions(callerOf(request).owner, id, page));
      return listAnswer(versions, page, rows);
    },
  );
}
