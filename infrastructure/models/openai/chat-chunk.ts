import { ModelFailure } from "../../../application/ports/language-model.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import { beginningOf, storableText } from "../../../domain/shared/storable-text.ts";
import { failureInStream } from "./failure-of.ts";

export type ToolCallPiece = {
  /** Some servers send complete calls without it. */
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Fields of the call that only its server understands; unknown ones of `function` under that name. */
  readonly fields: JsonObject;
};

export type ChatChunk = {
  readonly model: string | null;
  readonly text: string;
  readonly toolCalls: readonly ToolCallPiece[];
  /** null: the answer goes on. */
  readonly finishReason: string | null;
  readonly usage: { readonly input: number | null; readonly output: number | null } | null;
};

const LONGEST_NAME = 200;
/** An answer has at most 400 tokens, so that ten times as many pieces of calls are none of a model. */
export const MOST_PIECES = 4_096;

/**
 * One frame of an answer. Each field is read by itself: an odd one is left out, and the rest of the frame
 * stays. null: nothing of an answer is in it (a ping, metadata). Throws ModelFailure for an error of the
 * server, and for a frame that is no object.
 */
export function readChunk(frame: unknown): ChatChunk | null {
  if (frame === null) return null;
  const { error, choices, usage, model } = objectOf(frame) ?? refuse();
  const choice = listOf(choices).map(objectOf).find(isFirst) ?? null;
  const problem = error ?? choice?.["error"] ?? null;
  if (problem !== null) throw failureInStream(problem);
  const delta = objectOf(choice?.["delta"]) ?? objectOf(choice?.["message"]) ?? {};
  const pieces = [...listOf(delta["tool_calls"]), ...olderCall(delta)];
  if (pieces.length > MOST_PIECES) throw garbage();
  const figures = objectOf(usage);
  if (choice === null && figures === null) return null;
  const name = textOf(model);
  return {
    model: name === "" ? null : beginningOf(storableText(name), LONGEST_NAME),
    text: saidIn(delta["content"]) + textOf(delta["refusal"]) + saidIn(choice?.["text"]),
    toolCalls: pieces.flatMap(pieceOf),
    finishReason: finishOf(choice?.["finish_reason"]),
    usage:
      figures === null
        ? null
        : { input: tokens(figures["prompt_tokens"]), output: tokens(figures["completion_tokens"]) },
  };
}

function refuse(): never {
  throw garbage();
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

function objectOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** A single value counts as a list of it. */
function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function isFirst(choice: Fields | null): boolean {
  return choice !== null && Number(choice["index"] ?? 0) === 0;
}

/** A text, or a list of parts; parts of another kind (`thinking`) are not for the customer. */
function saidIn(content: JsonValue | undefined): string {
  return listOf(content)
    .map((part) => {
      if (typeof part === "string") return part;
      const { type, text } = objectOf(part) ?? {};
      return type === undefined || /^(output_)?text$/.test(textOf(type)) ? textOf(text) : "";
    })
    .join("");
}

/** `function_call`, as it was before there were several in one answer. */
function olderCall(delta: Fields): readonly JsonValue[] {
  const call = objectOf(delta["function_call"]);
  return call === null ? [] : [{ function: call as JsonObject }];
}

function pieceOf(value: JsonValue): ToolCallPiece[] {
  const piece = objectOf(value);
  if (piece === null) return [];
  const { index, id, type: _type, function: called, ...fields } = piece;
  const { name, arguments: given, ...ofFunction } = objectOf(called) ?? {};
  const place = index === null || index === undefined ? Number.NaN : Number(index);
  return [
    {
      index: Number.isSafeInteger(place) ? place : null,
      id: storableText(textOf(id)),
      name: storableText(textOf(name)),
      arguments: typeof given === "string" ? given : given == null ? "" : JSON.stringify(given),
      fields: present(
        Object.keys(ofFunction).length === 0 ? fields : { ...fields, function: present(ofFunction) },
      ),
    },
  ];
}

/** Values that are there; a server may send null for what it does not use. */
function present(fields: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value == null ? [] : [[key, value] as const])),
  );
}

function finishOf(reason: JsonValue | undefined): string | null {
  const finish = textOf(reason).toLowerCase();
  return finish === "" ? null : finish;
}

function tokens(value: JsonValue | undefined): number | null {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

export function garbage(): ModelFailure {
  return new ModelFailure("garbage", "The model's server sent something that is no chat completion");
}
