import type OpenAI from "openai";
import type { ModelMessage, ModelRequest, ModelTool } from "../../../application/ports/language-model.ts";

type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/**
 * The request for `chat.completions`. Settings without a value are not sent, because servers
 * have their own defaults.
 */
export function chatRequest(request: ModelRequest, model: string, baseUrl: string): ChatRequest {
  const { tools, temperature, maxTokens } = request;
  return {
    model,
    messages: request.messages.map(chatMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool) }),
    ...(temperature === null ? {} : { temperature }),
    ...(isOpenAi(baseUrl) ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
  };
}

/** OpenAI's newer models refuse `max_tokens`, the only name that many other servers know. */
function isOpenAi(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
}

function chatTool({ name, description, parameters }: ModelTool): OpenAI.Chat.Completions.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}

function chatMessage(message: ModelMessage): ChatMessage {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: "assistant", content: message.content };
  return {
    role: "assistant",
    content: message.content === "" ? null : message.content,
    tool_calls: calls.map(({ id, name, arguments: text }) => ({
      id,
      type: "function",
      function: { name, arguments: isJson(text) ? text : "{}" },
    })),
  };
}

/**
 * Some servers parse the arguments in the history, and refuse the whole request because of one mistake that
 * their own model made.
 */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
