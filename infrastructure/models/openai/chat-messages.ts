import type { ModelMessage, ModelToolCall } from "../../../application/ports/language-model.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import type { Manners } from "../../connections/server-manners.ts";

export type ChatMessage = {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly JsonObject[];
  readonly tool_call_id?: string;
};

/** Said by nobody: where the user must speak first, and where the roles must take turns. */
const CALL_BEGINS = "(The customer has answered the call.)";
const GOES_ON = "(The call goes on.)";
const NOTHING_SAID = "…";

export function chatMessages(messages: readonly ModelMessage[], manners: Manners): readonly ChatMessage[] {
  const plain = messages.flatMap((message) => chatMessage(message, manners));
  const turns = manners.has("roles_take_turns") ? inTurns(plain) : plain;
  return manners.has("no_system_role") ? withoutSystem(turns) : turns;
}

function chatMessage(message: ModelMessage, manners: Manners): ChatMessage[] {
  if (message.role === "tool") {
    if (manners.has("no_tools")) return [{ role: "user", content: `(Result: ${message.content})` }];
    return [{ role: "tool", tool_call_id: message.toolCallId, content: message.content }];
  }
  const { role, content } = message;
  const calls = role === "assistant" ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return [{ role, content }];
  if (manners.has("no_tools")) return content === "" ? [] : [{ role, content }];
  const noText = manners.has("empty_text") ? "" : null;
  return [{ role, content: content === "" ? noText : content, tool_calls: calls.map(chatCall) }];
}

/** With the fields that came with it: some servers refuse the call without them. */
function chatCall({ id, name, arguments: text, fields = {} }: ModelToolCall): JsonObject {
  const { function: ofFunction, ...ofCall } = fields;
  const given = isJson(text) ? text : "{}";
  return { ...ofCall, id, type: "function", function: { ...objectOf(ofFunction), name, arguments: given } };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
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

/**
 * The user first, then user and assistant by turns, the user or a tool last. The greeting is the answer to a
 * line about the call; messages of the same role become one.
 */
function inTurns(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "assistant" && (last === undefined || last.role === "system"))
      turns.push({ role: "user", content: CALL_BEGINS });
    if (message.role === "user" && last?.role === "tool")
      turns.push({ role: "assistant", content: NOTHING_SAID });
    if (last?.role === message.role && message.role !== "tool" && last.tool_calls === undefined)
      turns.splice(-1, 1, joined(last, message));
    else turns.push(message);
  }
  const last = turns.at(-1);
  if (last?.role === "assistant" || last?.role === "system") turns.push({ role: "user", content: GOES_ON });
  return turns;
}

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const texts = [first.content, second.content].filter((text) => text !== null && text !== "");
  return { ...second, content: texts.length === 0 ? second.content : texts.join("\n") };
}

function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content ?? "");
  const others = messages.filter(({ role }) => role !== "system");
  const [first, ...rest] = others;
  if (system.length === 0) return messages;
  const text = system.join("\n\n");
  return first?.role === "user"
    ? [{ ...first, content: `${text}\n\n${first.content ?? ""}` }, ...rest]
    : [{ role: "user", content: text }, ...others];
}
