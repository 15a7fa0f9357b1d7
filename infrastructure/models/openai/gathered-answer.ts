import { answerText } from "../../../application/conversation/answer-text/answer-text.ts";
import { type JsonScan, jsonScan } from "../../../application/conversation/answer-text/json-scan.ts";
import {
  ModelFailure,
  type ModelPart,
  type ModelToolCall,
} from "../../../application/ports/language-model.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { storable } from "../../../domain/shared/storable-text.ts";
import { type ChatChunk, garbage, MOST_PIECES, type ToolCallPiece } from "./chat-chunk.ts";
import { CUT_SHORT } from "./json-answer.ts";

type OpenCall = {
  id: string;
  name: string;
  readonly pieces: string[];
  readonly scan: JsonScan;
  fields: JsonObject;
};
type EndPart = Extract<ModelPart, { kind: "end" }>;

/** More calls than any model makes at once; the conversation carries out fewer. */
const MOST_CALLS = 32;
/** Characters, with the reasoning that stands in the text; what is spoken has at most 400 tokens. */
const MOST_TEXT = 64 * 1024;
/** Names of functions have at most 64 characters. */
const LONGEST_NAME = 200;
/** A longer id is taken for none. */
const LONGEST_ID = 256;
/** Fields that only the server understands are kept up to this number, and this size of their JSON. */
const MOST_FIELDS = 16;
const MOST_FIELD_CHARACTERS = 16_384;

/** Parts of an answer that are complete only at its end. */
export type GatheredAnswer = {
  /** What can be said now, and whether the chunk had a part of the answer itself. */
  take(chunk: ChatChunk): { readonly text: string; readonly isOfAnswer: boolean };
  /** The server said that it is done, with a reason or without. */
  done(): void;
  isFinished(): boolean;
  /** The rest of the text, the tool calls and the end. Call it only when the answer is finished. */
  rest(): readonly ModelPart[];
};

/** `functions`: names that the model was offered. */
export function gatheredAnswer(askedModel: string, functions: ReadonlySet<string>): GatheredAnswer {
  const calls = openCalls(functions);
  const text = answerText(functions);
  let model = askedModel;
  let finish: string | null = null;
  let isDone = false;
  let begun = false;
  let said = false;
  let usage: ChatChunk["usage"] = null;
  let characters = 0;
  return {
    take(chunk) {
      model = chunk.model ?? model;
      usage = chunk.usage ?? usage;
      finish ??= chunk.finishReason;
      if (finish === "error" || finish === "abort")
        throw new ModelFailure("unavailable", "The model's server broke the answer off with an error");
      for (const piece of chunk.toolCalls) calls.add(piece);
      characters += chunk.text.length;
      if (characters > MOST_TEXT) throw garbage();
      const saying = text.take(chunk.text);
      const hasPart = chunk.text !== "" || chunk.toolCalls.length > 0;
      begun ||= hasPart;
      said ||= saying.trim() !== "";
      return { text: saying, isOfAnswer: hasPart || chunk.finishReason !== null };
    },
    done() {
      isDone = true;
    },
    isFinished: () => finish !== null || (isDone && begun),
    rest() {
      const last = text.rest();
      const whole = calls.whole();
      const made = whole.length > 0 ? whole : last.calls;
      const reason = reasonOf(finish, made.length > 0);
      // A call that was written as text and cannot be read: nothing was said, and nothing can be done.
      if (!said && last.text.trim() === "" && made.length === 0 && last.hasBrokenCall) throw garbage();
      const end: EndPart = {
        kind: "end",
        reason,
        model,
        inputTokens: usage?.input ?? null,
        outputTokens: usage?.output ?? null,
      };
      const words: ModelPart[] = last.text === "" ? [] : [{ kind: "text", text: last.text }];
      // An answer that was cut short may have half a call, and half a call must not run.
      if (reason !== "tool_calls") return [...words, end];
      return [...words, ...made.map((call) => ({ kind: "tool_call", call }) as const), end];
    },
  };
}

const FILTERED = /^(content_filter|safety|recitation)$/;

/** Reasons that only some servers use mean that the model had finished. */
function reasonOf(finish: string | null, hasCalls: boolean): EndPart["reason"] {
  if (finish !== null && CUT_SHORT.test(finish)) return "length";
  if (finish !== null && FILTERED.test(finish)) return "content_filter";
  return hasCalls ? "tool_calls" : "stop";
}

/** The calls of one answer, in the order in which they began. */
function openCalls(functions: ReadonlySet<string>) {
  const calls: OpenCall[] = [];
  /** The last call of each index; null: calls without one. */
  const latest = new Map<number | null, OpenCall>();
  let pieces = 0;
  return {
    add(piece: ToolCallPiece): void {
      pieces += 1;
      if (pieces > MOST_PIECES) throw garbage();
      const open = latest.get(piece.index);
      const call = open !== undefined && goesOn(open, piece, functions) ? open : newCall();
      if (call !== open) calls.push(call);
      if (calls.length > MOST_CALLS) throw garbage();
      latest.set(piece.index, call);
      if (call.id === "") call.id = piece.id;
      call.name = joinedName(call.name, piece.name, functions);
      if (call.name.length > LONGEST_NAME) throw garbage();
      call.pieces.push(piece.arguments);
      call.scan.take(piece.arguments);
      if (Object.keys(call.fields).length < MOST_FIELDS) call.fields = { ...call.fields, ...piece.fields };
    },
    whole: (): readonly ModelToolCall[] => calls.map((call, place) => wholeCall(call, place, functions)),
  };
}

function newCall(): OpenCall {
  return { id: "", name: "", pieces: [], scan: jsonScan(), fields: {} };
}

/**
 * Whether a piece continues the call that is open at its index. Servers differ: an id in the first piece, in
 * each piece, another one in each piece, or none; a name likewise. Only a piece with a name can begin a call.
 */
function goesOn(open: OpenCall, piece: ToolCallPiece, functions: ReadonlySet<string>): boolean {
  if (piece.name.trim() === "") return true;
  if (piece.id !== "" && open.id !== "") return piece.id === open.id;
  if (piece.id !== "" && piece.index === null) return false;
  if (open.scan.isWhole()) return false;
  return piece.name === open.name || !functions.has(open.name.trim()) || !functions.has(piece.name.trim());
}

/** A name may come in pieces, once, or again with each piece. */
function joinedName(name: string, more: string, functions: ReadonlySet<string>): string {
  return more === name || functions.has(name.trim()) ? name : name + more;
}

/**
 * Servers without ids, or without arguments for a function without parameters, mean the same as the others.
 */
function wholeCall(call: OpenCall, place: number, functions: ReadonlySet<string>): ModelToolCall {
  const name = offeredName(call.name.trim(), functions);
  if (name === "") throw garbage();
  const text = call.pieces.join("");
  const fields = storable(call.fields);
  const isKept = Object.keys(fields).length > 0 && JSON.stringify(fields).length <= MOST_FIELD_CHARACTERS;
  return {
    id: call.id === "" || call.id.length > LONGEST_ID ? `call_${place + 1}` : call.id,
    name,
    arguments: text.trim() === "" ? "{}" : text,
    ...(isKept ? { fields } : {}),
  };
}

/**
 * Models put a namespace before a name (`functions.order_status`): it is taken off where that makes a name.
 */
function offeredName(name: string, functions: ReadonlySet<string>): string {
  const bare = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
  return !functions.has(name) && functions.has(bare) ? bare : name;
}
