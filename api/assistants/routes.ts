import { z } from "zod";
import type { AssistantDraft } from "../../application/ports/configuration/assistants.ts";
import { DEFAULT_CONVERSATION } from "../../application/settings.ts";
import { answer, list, pageFields } from "../../contract/fields.ts";
import type { ToolId } from "../../domain/shared/ids.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import {
  type AssistantBody,
  assistant,
  assistantBody,
  assistantDeleted,
  changeAssistantBody,
} from "./schemas.ts";
import { registerVersions } from "./version-routes.ts";

const TAGS = ["assistants"];
const assistants = { list: "assistants", parse: (text: string) => parseId("ast", text) };
const params = pathParams("id");
const scope = "assistants:*";
const errors = ["ASSISTANT_NOT_FOUND"] as const;
const MODEL_CONNECTION = { kinds: ["model"], path: ["modelConnectionId"] } as const;

/** docs/api.md §3. */
export function registerAssistants(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
  registerVersions(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.get(
    "/api/v1/assistants",
    {
      schema: {
        operationId: "listAssistants",
        summary: "Assistants, newest first",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(assistant) },
      },
      config: { scope },
    },
    async (request) => {
      const page = pageRequest(assistants, request.query);
      return listAnswer(assistants, page, await configuration.assistants.list(callerOf(request).owner, page));
    },
  );
  api.get(
    "/api/v1/assistants/:id",
    {
      schema: {
        operationId: "getAssistant",
        summary: "One assistant: its draft, and which version is published",
        tags: TAGS,
        params,
        response: { 200: answer(assistant) },
      },
      config: { scope, errors },
    },
    async (request) => {
      const id = pathId("ast", request.params.id);
      return data(found("ast", await configuration.assistants.get(callerOf(request).owner, id)));
    },
  );
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/assistants",
    {
      schema: {
        operationId: "createAssistant",
        summary: "Creates an assistant, not published yet",
        tags: TAGS,
        body: assistantBody,
        response: { 201: answer(assistant) },
      },
      config: { scope, idempotent: true, errors: ["TOOL_NOT_FOUND@400", "CONNECTION_NOT_FOUND@400"] },
    },
    (request, reply) =>
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
  );
}

function registerChanging(api: Api, deps: ApiDeps): void {
  api.patch(
    "/api/v1/assistants/:id",
    {
      schema: {
        operationId: "changeAssistant",
        summary: "Changes the draft; what is published stays as it is",
        tags: TAGS,
        params,
        body: changeAssistantBody,
        response: { 200: answer(assistant) },
      },
      config: { scope, errors: [...errors, "TOOL_NOT_FOUND@400", "CONNECTION_NOT_FOUND@400"] },
    },
    async (request, reply) => {
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
  );
  api.delete(
    "/api/v1/assistants/:id",
    {
      schema: {
        operationId: "deleteAssistant",
        summary: "Deletes an assistant that no squad uses",
        description:
          "503 `NOT_READY` while the read model of squads is being built: nobody knows then whether one uses it.",
        tags: TAGS,
        params,
        response: { 200: answer(assistantDeleted) },
      },
      config: { scope, errors: [...errors, "ASSISTANT_IN_USE"] },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("ast", request.params.id);
      if (await deps.queries.assistantInSquad(owner, id)) {
        throw new ApiError("ASSISTANT_IN_USE", "The assistant is a member of a squad; remove it there first");
      }
      if (!(await deps.configuration.assistants.delete(owner, id))) throw unknownId("ast");
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  );
}

function draftOf(body: AssistantBody): AssistantDraft {
  return {
    name: body.name,
    greetingMessage: body.greetingMessage,
    systemPrompt: body.systemPrompt,
    model: body.model ?? null,
    temperature: body.temperature ?? null,
    voice: body.voice ?? null,
    language: body.language ?? null,
    toolIds: knownTools(body.toolIds ?? []),
    maxDurationSeconds: body.maxDurationSeconds ?? 600,
    voicemailPolicy: body.voicemailPolicy ?? "hang_up",
    voicemailMessage: body.voicemailMessage ?? null,
    ...DEFAULT_CONVERSATION,
    ...given({
      fallbackMessage: body.fallbackMessage,
      silenceTimeoutSeconds: body.silenceTimeoutSeconds,
      endSilenceMs: body.endSilenceMs,
      interruptible: body.interruptible,
      recording: body.recording,
      recordingNotice: body.recordingNotice,
    }),
  };
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
