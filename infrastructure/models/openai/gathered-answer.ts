import type { ModelPart, ModelToolCall } from "../../../application/ports/language-model.ts";
import { type ChatChunk, garbage, type ToolCallPiece } from "./chat-chunk.ts";

type OpenCall = { id: string; name: string; arguments: string; readonly index: number | null };
type EndPart = Extract<ModelPart, { kind: "end" }>;

/** Parts of an answer that are complete only at its end. */
export type GatheredAnswer = {
  /** True: the chunk had a part of the answer itself. */
  take(chunk: ChatChunk): boolean;
  isFinished(): boolean;
  /** The tool calls and the end. Call it only when the answer is finished. */
  rest(): readonly ModelPart[];
};

export function gatheredAnswer(askedModel: string): GatheredAnswer {
  const calls: OpenCall[] = [];
  let model = askedModel;
  let finish: string | null = null;
  let usage: ChatChunk["usage"] = null;
  return {
    take(chunk) {
      if (chunk.model !== null && chunk.model !== "") model = chunk.model;
      usage = chunk.usage ?? usage;
      finish ??= chunk.finishReason;
      for (const piece of chunk.toolCalls) addPiece(calls, piece);
      return chunk.text !== "" || chunk.toolCalls.length > 0 || chunk.finishReason !== null;
    },
    isFinished: () => finish !== null,
    rest() {
      const reason = reasonOf(finish, calls.length > 0);
      const end: EndPart = {
        kind: "end",
        reason,
        model,
        inputTokens: usage?.input ?? null,
        outputTokens: usage?.output ?? null,
      };
      // An answer that was cut short may have half a call, and half a call must not run.
      return reason === "tool_calls" ? [...wholeCalls(calls), end] : [end];
    },
  };
}

/** Reasons that only some servers use mean that the model had finished. */
function reasonOf(finish: string | null, hasCalls: boolean): EndPart["reason"] {
  if (finish === "length" || finish === "content_filter") return finish;
  return hasCalls ? "tool_calls" : "stop";
}

/**
 * A piece continues the call with its index, or the last one if it has none; another id begins another call.
 */
function addPiece(calls: OpenCall[], piece: ToolCallPiece): void {
  const id = piece.id ?? "";
  const index = piece.index ?? null;
  const begun =
    index === null ? (id === "" ? calls.at(-1) : undefined) : calls.findLast((call) => call.index === index);
  const goesOn = begun !== undefined && (id === "" || begun.id === "" || begun.id === id);
  const call = goesOn ? begun : { id: "", name: "", arguments: "", index };
  if (!goesOn) calls.push(call);
  if (id !== "") call.id = id;
  if (call.name === "") call.name = piece.function?.name ?? "";
  call.arguments += piece.function?.arguments ?? "";
}

/**
 * Servers without ids, or without arguments for a function without parameters, mean the same as the others.
 */
function wholeCalls(calls: readonly OpenCall[]): ModelPart[] {
  return calls.map((call, place) => {
    if (call.name === "") throw garbage();
    const whole: ModelToolCall = {
      id: call.id === "" ? `call_${place + 1}` : call.id,
      name: call.name,
      arguments: call.arguments.trim() === "" ? "{}" : call.arguments,
    };
    return { kind: "tool_call", call: whole };
  });
}
