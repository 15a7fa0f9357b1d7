import type { AssistantSettings, NotPublished } from "../../application/ports/configuration/assistants.ts";
import { DEFAULT_ASSISTANT } from "../../application/settings.ts";
import { type AssistantBody, assistantRoutes } from "../../contract/assistant.ts";
import type { ToolId } from "../../domain/shared/ids.ts";
import { given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { found, parseId, pathId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { parseWhole } from "../pagination.ts";
import { changed, deleted, listed, made, shown } from "../records.ts";
import { of } from "../route.ts";
import { registerOutcomeTest } from "./test-route.ts";

const assistants = { list: "assistants", parse: (text: string) => parseId("ast", text) };
const versions = { list: "versions", parse: parseWhole };
const MODEL_CONNECTION = { kinds: ["model"], path: ["modelConnectionId"] } as const;

/** docs/api.md §3. */
export function registerAssistants(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerWriting(api, deps);
  registerDeleting(api, deps);
  registerVersions(api, deps);
  registerOutcomeTest(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(assistantRoutes.listAssistants),
    handler: (request) =>
      listed(assistants, request.query, (page) =>
        configuration.assistants.list(callerOf(request).owner, page),
      ),
  });
  api.route({
    ...of(assistantRoutes.getAssistant),
    handler: (request) =>
      shown("ast", request.params.id, (id) => configuration.assistants.get(callerOf(request).owner, id)),
  });
}

function registerWriting(api: Api, deps: ApiDeps): void {
  const { assistants } = deps.configuration;
  api.route({
    ...of(assistantRoutes.createAssistant),
    handler: (request, reply) =>
      made(deps, request, reply, ["ast", "assistantId"], async (id) => {
        const { owner } = callerOf(request);
        const { modelConnectionId } = request.body;
        const connection = await knownConnection(deps, owner, modelConnectionId, MODEL_CONNECTION);
        const draft = { ...draftOf(request.body), modelConnectionId: connection ?? null };
        const created = await assistants.create(owner, id, draft);
        if (!created.saved) throw toolsNotFound(created.toolIds);
        return created.value.value;
      }),
  });
  api.route({
    ...of(assistantRoutes.changeAssistant),
    handler: (request, reply) =>
      changed(deps, reply, "ast", request.params.id, async (id) => {
        const { owner } = callerOf(request);
        const { toolIds, modelConnectionId, ...rest } = request.body;
        const tools = toolIds === undefined ? {} : { toolIds: knownTools(toolIds) };
        const connection = await knownConnection(deps, owner, modelConnectionId, MODEL_CONNECTION);
        const model = connection === undefined ? {} : { modelConnectionId: connection };
        const saved = await assistants.change(owner, id, { ...given(rest), ...tools, ...model });
        if (saved.saved) return saved.value;
        if (saved.reason === "not_found") return null;
        throw toolsNotFound(saved.toolIds);
      }),
  });
}

function registerDeleting(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(assistantRoutes.deleteAssistant),
    handler: (request, reply) =>
      deleted(deps, reply, "ast", request.params.id, async (id) => {
        const { owner } = callerOf(request);
        if (await deps.queries.assistantInSquad(owner, id)) {
          throw new ApiError(
            "ASSISTANT_IN_USE",
            "The assistant is a member of a squad; remove it there first",
          );
        }
        return deps.configuration.assistants.delete(owner, id);
      }),
  });
}

function registerVersions(api: Api, deps: ApiDeps): void {
  const { assistants } = deps.configuration;
  api.route({
    ...of(assistantRoutes.publishAssistant),
    handler: (request, reply) =>
      changed(deps, reply, "ast", request.params.id, async (id) => {
        const rehearsalId = request.body?.rehearsalId ?? null;
        const published = await assistants.publish(callerOf(request).owner, id, rehearsalId);
        if (published === null || published.saved) return published?.value ?? null;
        throw notPublished(published.reason);
      }),
  });
  api.route({
    ...of(assistantRoutes.unpublishAssistant),
    handler: (request, reply) =>
      changed(deps, reply, "ast", request.params.id, (id) =>
        assistants.unpublish(callerOf(request).owner, id),
      ),
  });
  api.route({
    ...of(assistantRoutes.listAssistantVersions),
    handler: async (request) => {
      const id = pathId("ast", request.params.id);
      return listed(versions, request.query, async (page) =>
        found("ast", await assistants.versions(callerOf(request).owner, id, page)),
      );
    },
  });
}

function notPublished(reason: NotPublished["reason"]): ApiError {
  return reason === "rehearsal_required"
    ? new ApiError(
        "REHEARSAL_REQUIRED",
        "The assistant is published only with a rehearsal that its draft has passed",
      )
    : new ApiError(
        "REHEARSAL_NOT_PASSED",
        "There is no such rehearsal in which every run of this very draft passed",
      );
}

function draftOf({ toolIds = [], modelConnectionId: _known, ...rest }: AssistantBody): AssistantSettings {
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
