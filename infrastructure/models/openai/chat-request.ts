import type { ModelRequest, ModelTool } from "../../../application/ports/language-model.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { Manners, Sent } from "../../connections/server-manners.ts";
import { type ChatMessage, chatMessages } from "./chat-messages.ts";
import { formOfAnswer } from "./json-answer.ts";

/**
 * The body of `POST /chat/completions`; fields without a value are not sent, because servers have their own.
 */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: true;
  readonly stream_options?: { readonly include_usage: true };
  readonly tools?: readonly JsonObject[];
  readonly tool_choice?: JsonObject;
  readonly response_format?: JsonObject;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
};

export function chatRequest(
  request: ModelRequest,
  model: string,
  baseUrl: string,
  manners: Manners,
): ChatRequest {
  const { tools, temperature, maxTokens, wanted } = request;
  const form = wanted === undefined ? null : formOfAnswer(wanted, manners);
  // A JSON object is of use when it is whole.
  const streams = form === null && !manners.has("no_stream");
  const offersTools = tools.length > 0 && !manners.has("no_tools");
  return {
    model,
    messages: chatMessages([...request.messages, ...(form?.messages ?? [])], manners),
    ...(streams ? { stream: true } : {}),
    ...(streams && !manners.has("no_stream_options") ? { stream_options: { include_usage: true } } : {}),
    ...(offersTools ? { tools: tools.map((tool) => chatTool(tool, manners)) } : {}),
    ...(temperature === null || manners.has("no_temperature") ? {} : { temperature }),
    ...limitOf(maxTokens, baseUrl, manners),
    ...form?.fields,
  };
}

export function sentOf(request: ChatRequest): Sent {
  return {
    fields: new Set(Object.keys(request)),
    hasNullText: request.messages.some(({ content }) => content === null),
  };
}

/** OpenAI's newer models refuse `max_tokens`, the only name that many other servers know. */
function limitOf(maxTokens: number, baseUrl: string, manners: Manners): Partial<ChatRequest> {
  if (manners.has("no_limit")) return {};
  return isOpenAi(baseUrl) === manners.has("other_limit_name")
    ? { max_tokens: maxTokens }
    : { max_completion_tokens: maxTokens };
}

function isOpenAi(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
}

function chatTool({ name, description, parameters }: ModelTool, manners: Manners): JsonObject {
  const { additionalProperties, ...open } = parameters;
  const isOpen = manners.has("open_schemas") || additionalProperties === undefined;
  return {
    type: "function",
    function: { name, description, parameters: isOpen ? open : { ...open, additionalProperties } },
  };
}
