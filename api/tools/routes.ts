import { jsonObject } from "../../contract/fields.ts";
import { toolConfigs, toolRoutes } from "../../contract/tool.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { ToolType } from "../../domain/tool/tool-config.ts";
import { given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { found, parseId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { problemDetails } from "../problem-details.ts";
import { changed, deleted, listed, made, shown } from "../records.ts";
import { of } from "../route.ts";
import { registerToolTest } from "./test-route.ts";

const tools = { list: "tools", parse: (text: string) => parseId("tool", text) };

/** The seed's tool, and docs/api.md §3. */
export function registerTools(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerWriting(api, deps);
  registerToolTest(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(toolRoutes.listTools),
    handler: (request) =>
      listed(tools, request.query, (page) => configuration.tools.list(callerOf(request).owner, page)),
  });
  api.route({
    ...of(toolRoutes.getTool),
    handler: (request) =>
      shown("tool", request.params.toolId, (id) => configuration.tools.get(callerOf(request).owner, id)),
  });
}

function registerWriting(api: Api, deps: ApiDeps): void {
  const { tools } = deps.configuration;
  api.route({
    ...of(toolRoutes.createTool),
    handler: (request, reply) =>
      made(deps, request, reply, ["tool", "toolId"], async (id) => {
        const { name, type, description = "", config = {}, sampleAnswer = null } = request.body;
        const { owner } = callerOf(request);
        await checkConnection(deps, owner, config);
        const draft = { name, type, description, config: jsonObject(config), sampleAnswer };
        return (await tools.create(owner, id, draft)).value;
      }),
  });
  api.route({
    ...of(toolRoutes.changeTool),
    handler: (request, reply) =>
      changed(deps, reply, "tool", request.params.toolId, async (id) => {
        const { owner } = callerOf(request);
        const before = found("tool", await tools.get(owner, id));
        const { config, ...rest } = request.body;
        checkConfig(rest.type ?? before.type, config ?? before.config);
        await checkConnection(deps, owner, config ?? {});
        const changes = { ...given(rest), ...(config === undefined ? {} : { config: jsonObject(config) }) };
        return tools.change(owner, id, changes);
      }),
  });
  api.route({
    ...of(toolRoutes.deleteTool),
    handler: (request, reply) =>
      deleted(deps, reply, "tool", request.params.toolId, async (id) => {
        const deletion = await tools.delete(callerOf(request).owner, id);
        if (!deletion.saved && deletion.reason !== "not_found") throw inUse(deletion.assistantIds);
        return deletion.saved;
      }),
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
