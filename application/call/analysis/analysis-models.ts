import type { AnalysisModel } from "../../../domain/call/events.ts";
import type { AnalysisSettings } from "../../ports/analyses.ts";
import type { AnalysisModels, AnalysisQuestion, AnalysisReply } from "../../ports/analysis-model.ts";
import {
  type LanguageModels,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
} from "../../ports/language-model.ts";

/** The most tokens of an answer. */
const ANSWER_TOKENS = 8_000;
const NOBODY_YET: AnalysisModel = { name: "", inputTokens: null, outputTokens: null };

/** The models of conversations, asked for JSON. */
export function analysisModels(models: LanguageModels): AnalysisModels {
  return {
    async ask(owner, settings, question, { signal, millis }) {
      const model = await models.open(owner, settings.modelConnectionId, "");
      const limits = { signal, firstPartMillis: millis, stallMillis: millis };
      const parts: ModelPart[] = [];
      for await (const part of model.respond(requestOf(settings, question), limits)) parts.push(part);
      return replyOf(parts);
    },
    async atOnce(owner, settings) {
      if (settings.modelConnectionId !== null) return null; // it leads to a server
      const model = await models.open(owner, settings.modelConnectionId, "");
      const answerAtOnce = model.answerAtOnce?.bind(model);
      if (answerAtOnce === undefined) return null;
      return (question) => replyOf(answerAtOnce(requestOf(settings, question)));
    },
  };
}

function requestOf(
  { model, language }: AnalysisSettings,
  { system, user, schema, outcome, transcript }: AnalysisQuestion,
) {
  return {
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    tools: [],
    model,
    language,
    temperature: null,
    maxTokens: ANSWER_TOKENS,
    wanted: { schema, outcome, transcript },
  } satisfies ModelRequest;
}

function replyOf(parts: Iterable<ModelPart>): AnalysisReply {
  let text = "";
  let answered = NOBODY_YET;
  let isWhole = true;
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    if (part.kind !== "end") continue;
    answered = { name: part.model, inputTokens: part.inputTokens, outputTokens: part.outputTokens };
    isWhole = part.reason !== "length";
  }
  const answer = isWhole ? jsonIn(text) : undefined;
  if (answer === undefined) throw new ModelFailure("garbage", problemOf(isWhole), null, answered);
  return { answer, model: answered };
}

function problemOf(isWhole: boolean): string {
  return isWhole
    ? "The model's answer is no JSON"
    : `The model's answer has more than ${ANSWER_TOKENS} tokens`;
}

/**
 * The object in a text, also one beside other words, in a fence or after what the model thought; undefined:
 * there is none.
 */
function jsonIn(text: string): unknown {
  const said = text.slice(text.lastIndexOf("</think>") + 1);
  const object = said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1);
  try {
    return JSON.parse(object);
  } catch {
    return undefined;
  }
}
