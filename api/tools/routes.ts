import { z } from "zod";
import { answer, jsonObject, list, pageFields } from "../../contract/fields.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { ToolType } from "../../domain/tool/tool-config.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { problemDetails } from "../problem-details.ts";
import { changeToolBody, configSchemas, tool, toolBody, toolDeleted, toolRecord } from "./schemas.ts";

import { registerToolTest } from "./test-route.ts";

const TAGS = ["tools"];
const tools = { list: "tools", parse: (text: string) => parseId("tool", text) };
const params = pathParams("toolId");
const errors = ["TOOL_NOT_FOUND"] as const;

/** The seed's tool, and docs/api.md §3. */
export function registerTools(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
  registerToolTest(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.get(
    "/api/v1/tools",
    {
      schema: {
        operationId: "listTools",
        summary: "Tools, newest first",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(tool) },
      },
      config: { scope: "tools:read" },
    },
    async (request) => {
      const page = pageRequest(tools, request.query);
      const { rows, next } = await configuration.tools.list(callerOf(request).owner, page);
      return listAnswer(tools, page, { rows: rows.map(toolRecord), next });
    },
  );
  api.get(
    "/api/v1/tools/:toolId",
    {
      schema: {
        operationId: "getTool",
        summary: "One tool",
        tags: TAGS,
        params,
        response: { 200: answer(tool) },
      },
      config: { scope: "tools:read", errors },
    },
    async (request) => {
      const id = pathId("tool", request.params.toolId);
      return data(toolRecord(found("tool", await configuration.tools.get(callerOf(request).owner, id))));
    },
  );
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/tools",
    {
      schema: {
        operationId: "createTool",
        summary: "Creates a tool",
        tags: TAGS,
        body: toolBody,
        response: { 201: answer(tool) },
      },
      config: { scope: "tools:write", idempotent: true, errors: ["CONNECTION_NOT_FOUND@400"] },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: { toolId: deps.ids.next("tool") },
        make: async (made) => {
          const { name, type, description = "", config = {} } = request.body;
          await checkConnection(deps, callerOf(request).owner, config);
          const id = found("tool", parseId("tool", String(made["toolId"])));
          const created = await deps.configuration.tools.create(callerOf(request).owner, id, {
            name,
            type,
            description,
            config: jsonObject(config),
          });
          await configurationWritten(deps, reply);
          return { status: 201, body: data(toolRecord(created.value)) };
        },
      }),
  );
}

function registerChanging(api: Api, deps: ApiDeps): void {
  api.patch(
    "/api/v1/tools/:toolId",
    {
      schema: {
        operationId: "changeTool",
        summary: "Changes a tool; a config is given whole",
        tags: TAGS,
        params,
        body: changeToolBody,
        response: { 200: answer(tool) },
      },
      config: { scope: "tools:write", errors: [...errors, "CONNECTION_NOT_FOUND@400"] },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("tool", request.params.toolId);
      const before = found("tool", await deps.configuration.tools.get(owner, id));
      const { config, ...rest } = request.body;
      checkConfig(rest.type ?? before.type, config ?? before.config);
      await checkConnection(deps, owner, config ?? {});
      const changes = { ...given(rest), ...(config === undefined ? {} : { config: jsonObject(config) }) };
      const changed = await deps.configuration.tools.change(owner, id, changes);
      await configurationWritten(deps, reply);
      return data(toolRecord(found("tool", changed)));
    },
  );
  api.delete(
    "/api/v1/tools/:toolId",
    {
      schema: {
        operationId: "deleteTool",
        summary: "Deletes a tool that no assistant uses",
        tags: TAGS,
        params,
        response: { 200: answer(toolDeleted) },
      },
      config: { scope: "tools:write", errors: [...errors, "TOOL_IN_USE"] },
    },
    async (request, reply) => {
      const id = pathId("tool", request.params.toolId);
      const gone = await deps.configuration.tools.delete(callerOf(request).owner, id);
      if (!gone.saved) throw gone.reason === "not_found" ? unknownId("tool") : inUse(gone.assistantIds);
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  );
}

function inUse(assistantIds: readonly string[]): ApiError {
  return new ApiError("TOOL_IN_USE", `Assistants use this tool: ${assistantIds.slice(0, 10).join(", ")}`);
}

/** The connection of a query must exist. */
async function checkConnection(deps: ApiDeps, owner: OwnerId, config: object): Promise<void> {
  const id = "connectionId" in config && typeof config.connectionId === "string" ? config.connectionId : null;
  await knownConnection(deps, owner, id, { kinds: ["postgres"], path: ["config", "connectionId"] });
}

/** The complete config must fit the tool's new type. */
function checkConfig(type: ToolType, config: unknown): void {
  const checked = configSchemas[type].safeParse(config);
  if (!checked.success) {
    throw validationError("The request body", problemDetails(checked.error.issues, ["config"]));
  }
}
