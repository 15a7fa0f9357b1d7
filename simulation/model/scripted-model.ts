import {
  type LanguageModel,
  ModelFailure,
  type ModelLimits,
  type ModelPart,
  type ModelRequest,
  type WantedAnswer,
} from "../../application/ports/language-model.ts";
import { SCRIPTED_MODEL } from "../../domain/conversation/script.ts";
import { scriptedOutcome } from "./scripted-outcome.ts";
import { scriptedReply } from "./scripted-reply.ts";
import { situationOf } from "./situation.ts";

/**
 * The model of an installation without one: rules instead of a network, so that a demo, the dashboard and
 * the tests talk without an account. The same seed and the same conversation give the same answer. A
 * token of it is a word.
 */
export function scriptedModel(seed: string): LanguageModel {
  return {
    respond: (request, limits) =>
      request.wanted === undefined
        ? partsOf(request, limits, seed)
        : outcomeParts(request, request.wanted, limits),
    answerAtOnce: (request) => outcomeOf(request, request.wanted),
  };
}

async function* partsOf(
  request: ModelRequest,
  { signal }: ModelLimits,
  seed: string,
): AsyncGenerator<ModelPart> {
  goOn(signal);
  const { text, call } = scriptedReply(request, seed);
  const words = text.match(/\S+\s*/g) ?? [];
  for (const word of words.slice(0, request.maxTokens)) {
    yield { kind: "text", text: word };
    goOn(signal);
  }
  const isWhole = words.length <= request.maxTokens;
  if (isWhole && call !== null) {
    const id = `scripted_${situationOf(request).turns}`;
    yield { kind: "tool_call", call: { id, name: call.name, arguments: JSON.stringify(call.arguments) } };
    goOn(signal);
  }
  yield {
    kind: "end",
    reason: isWhole ? (call === null ? "stop" : "tool_calls") : "length",
    model: SCRIPTED_MODEL,
    inputTokens: countWords(request),
    outputTokens: Math.max(1, Math.min(words.length, request.maxTokens)),
  };
}

async function* outcomeParts(
  request: ModelRequest,
  wanted: WantedAnswer,
  { signal }: ModelLimits,
): AsyncGenerator<ModelPart> {
  for (const part of outcomeOf(request, wanted)) {
    goOn(signal);
    yield part;
  }
}

function outcomeOf(request: ModelRequest, wanted: WantedAnswer): readonly ModelPart[] {
  const text = JSON.stringify(scriptedOutcome(wanted, request.language));
  const [inputTokens, outputTokens] = [countWords(request), text.split(/[\s,]+/).length];
  return [
    { kind: "text", text },
    { kind: "end", reason: "stop", model: SCRIPTED_MODEL, inputTokens, outputTokens },
  ];
}

function goOn(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelFailure("aborted", "The answer is no longer wanted");
}

function countWords({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0);
}
