import type { AssistantDraft } from "../../application/ports/configuration/assistants.ts";
import { DEFAULT_ASSISTANT } from "../../application/settings.ts";
import { type AssistantBody, assistantRoutes } from "../../contract/assistant.ts";
import type { ToolId } from "../../domain/shared/ids.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { of } from "../route.ts";

const assistants = { list: "assistants", parse: (text: string) => parseId("ast", text) };
const versions = { list: "versions", parse: parseWhole };
const MODEL_CONNECTION = { kinds: ["model"], path: ["modelConnectionId"] } as const;

/** docs/api.md §3. */
export function registerAssistants(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
  registerDeleting(api, deps);
  registerVersions(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(assistantRoutes.listAssistants),
    handler: async (request) => {
      const page = pageRequest(assistants, request.query);
      return listAnswer(assistants, page, await configuration.assistants.list(callerOf(request).owner, page));
    },
  });
  api.route({
    ...of(assistantRoutes.getAssistant),
    handler: async (request) => {
      const id = pathId("ast", request.params.id);
      return data(found("ast", await configuration.assistants.get(callerOf(request).owner, id)));
    },
  });
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(assistantRoutes.createAssistant),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { assistantId: deps.ids.next("ast") },
        make: async (made) => {
          const { owner } = callerOf(request);
          const id = found("ast", parseId("ast", String(made["assistantId"])));
          const { modelConnectionId } = request.body;
          const connection = await knownConnection(deps, owner, modelConnectionId, MODEL_CONNECTION);
          const draft = { ...draftOf(request.body), modelConnectionId: connection ?? null };
          const created = await deps.configuration.assistants.create(owner, id, draft);
          if (!created.saved) throw toolsNotFound(created.toolIds);
          await configurationWritten(deps, reply);
          return { status: 201, body: data(created.value.value) };
        },
      }),
  });
}

function registerChanging(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(assistantRoutes.changeAssistant),
    handler: async (request, reply) => {
      const id = pathId("ast", request.params.id);
      const { owner } = callerOf(request);
      const { toolIds, modelConnectionId, ...rest } = request.body;
      const tools = toolIds === undefined ? {} : { toolIds: knownTools(toolIds) };
      const connection = await knownConnection(deps, owner, modelConnectionId, MODEL_CONNECTION);
      const model = connection === undefined ? {} : { modelConnectionId: connection };
      const changes = { ...given(rest), ...tools, ...model };
      const changed = await deps.configuration.assistants.change(owner, id, changes);
      if (!changed.saved) {
        throw changed.reason === "not_found" ? unknownId("ast") : toolsNotFound(changed.toolIds);
      }
      await configurationWritten(deps, reply);
      return data(changed.value);
    },
  });
}

function registerDeleting(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(assistantRoutes.deleteAssistant),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("ast", request.params.id);
      if (await deps.queries.assistantInSquad(owner, id)) {
        throw new ApiError("ASSISTANT_IN_USE", "The assistant is a member of a squad; remove it there first");
      }
      if (!(await deps.configuration.assistants.delete(owner, id))) throw unknownId("ast");
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  });
}

function registerVersions(api: Api, deps: ApiDeps): void {
  const { assistants } = deps.configuration;
  api.route({
    ...of(assistantRoutes.publishAssistant),
    handler: async (request, reply) => {
      const id = pathId("ast", request.params.id);
      const published = found("ast", await assistants.publish(callerOf(request).owner, id));
      await configurationWritten(deps, reply);
      return data(published);
    },
  });
  api.route({
    ...of(assistantRoutes.unpublishAssistant),
    handler: async (request, reply) => {
      const id = pathId("ast", request.params.id);
      const unpublished = found("ast", await assistants.unpublish(callerOf(request).owner, id));
      await configurationWritten(deps, reply);
      return data(unpublished);
    },
  });
  api.route({
    ...of(assistantRoutes.listAssistantVersions),
    handler: async (request) => {
      const id = pathId("ast", request.params.id);
      const page = pageRequest(versions, request.query);
      const rows = found("ast", await assistants.versions(callerOf(request).owner, id, page));
      return listAnswer(versions, page, rows);
    },
  });
}

function draftOf({ toolIds = [], modelConnectionId: _known, ...rest }: AssistantBody): AssistantDraft {
  return { ...DEFAULT_ASSISTANT, ...given(rest), toolIds: knownTools(toolIds) };
}

/** Text that cannot be the id of a tool counts as an unknown tool. */
function knownTools(texts: readonly string[]): ToolId[] {
  const impossible = texts.filter((text) => parseId("tool", text) === null);
  if (impossible.length > 0) throw toolsNotFound(impossible);
  return texts.flatMap((text) => parseId("tool", text) ?? []);
}

function toolsNotFound(toolIds: readonly string[]): ApiError {
  return new ApiError("TOOL_NOT_FOUND", `Tool not found: ${toolIds.slice(0, 10).join(", ")}`, {
    status: 400,
  });
}
