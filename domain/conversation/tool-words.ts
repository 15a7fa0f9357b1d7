import type { ToolCallId, ToolEvidence } from "../call/conversation-events.ts";
import type { ToolId } from "../shared/ids.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";
import type { AskedCall } from "./inputs.ts";
import type { Word } from "./recording.ts";
import type { OfferedTool } from "./script.ts";
import { type ConversationState, speakerNow } from "./state.ts";

export const noEvidence: ToolEvidence = {
  status: null,
  millis: null,
  bytes: null,
  sha256: null,
  host: null,
  rows: null,
};

export type NewToolCall = {
  readonly toolId: ToolId | null;
  readonly toolName: string;
  readonly arguments: JsonObject;
  readonly repeatable: boolean;
  readonly turn: number;
  readonly modelCallId?: string;
  readonly modelFields?: JsonObject;
};

/** What goes back to the model with the call, as it came. */
export function asItCame({ id, fields }: AskedCall): Pick<NewToolCall, "modelCallId" | "modelFields"> {
  return { modelCallId: id, ...(fields === undefined ? {} : { modelFields: fields }) };
}

/**
 * We make ids of tool calls, because models repeat theirs. `further`: number of tool calls before
 * it in the same append.
 */
export function toolCallIdFor({ script, past }: ConversationState, further = 0): ToolCallId {
  return `${script.callId}-${past.toolCalls + 1 + further}`;
}

export function beginWord(state: ConversationState, toolCallId: ToolCallId, call: NewToolCall): Word {
  return {
    type: "BeginTool",
    tool: { toolCallId, assistantId: speakerNow(state).assistantId, ...call },
  };
}

export function endWord(toolCallId: ToolCallId, outcome: "answered" | "refused", shown: string): Word {
  const isError = outcome === "refused";
  return { type: "EndTool", result: { toolCallId, outcome, shown, isError, evidence: noEvidence } };
}

/** The tool changes nothing, so it may run again. */
export function isRepeatable({ type, config }: OfferedTool): boolean {
  const method = config["method"];
  return type === "DATABASE_QUERY" || (type === "API_REQUEST" && (method === undefined || method === "GET"));
}

/** Equal text for equal values, whatever the order of their keys. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const rows = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${rows.join(",")}}`;
}
