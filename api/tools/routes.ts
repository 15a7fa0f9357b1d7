import { jsonObject } from "../../contract/fields.ts";
import { toolConfigs, toolRoutes } from "../../contract/tool.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { ToolType } from "../../domain/tool/tool-config.ts";
import { data, given } from "../answers.ts";
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
import { of } from "../route.ts";
import { registerToolTest } from "./test-route.ts";

const tools = { list: "tools", parse: (text: string) => parseId("tool", text) };

/** The seed's tool, and docs/api.md §3. */
export function registerTools(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
  registerToolTest(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(toolRoutes.listTools),
    handler: async (request) => {
      const page = pageRequest(tools, request.query);
      return listAnswer(tools, page, await configuration.tools.list(callerOf(request).owner, page));
    },
  });
  api.route({
    ...of(toolRoutes.getTool),
    handler: async (request) => {
      const id = pathId("tool", request.params.toolId);
      return data(found("tool", await configuration.tools.get(callerOf(request).owner, id)));
    },
  });
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(toolRoutes.createTool),
    handler: (request, reply) =>
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
          return { status: 201, body: data(created.value) };
        },
      }),
  });
}

function registerChanging(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(toolRoutes.changeTool),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("tool", request.params.toolId);
      const before = found("tool", await deps.configuration.tools.get(owner, id));
      const { config, ...rest } = request.body;
      checkConfig(rest.type ?? before.type, config ?? before.config);
      await checkConnection(deps, owner, config ?? {});
      const changes = { ...given(rest), ...(config === undefined ? {} : { config: jsonObject(config) }) };
      const changed = await deps.configuration.tools.change(owner, id, changes);
      await configurationWritten(deps, reply);
      return data(found("tool", changed));
    },
  });
  api.route({
    ...of(toolRoutes.deleteTool),
    handler: async (request, reply) => {
      const id = pathId("tool", request.params.toolId);
      const gone = await deps.configuration.tools.delete(callerOf(request).owner, id);
      if (!gone.saved) throw gone.reason === "not_found" ? unknownId("tool") : inUse(gone.assistantIds);
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  });
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
  const checked = toolConfigs[type].safeParse(config);
  if (!checked.success) {
    throw validationError("The request body", problemDetails(checked.error.issues, ["config"]));
  }
}
