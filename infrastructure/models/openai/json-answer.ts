import type { ModelMessage, ModelPart, WantedAnswer } from "../../../application/ports/language-model.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { Manners } from "../../connections/server-manners.ts";
import type { AnswerFrame } from "./answer-frames.ts";
import { garbage, readChunk } from "./chat-chunk.ts";
import type { Patience } from "./patience.ts";

const NAME = "outcome_of_the_call";
/** Characters; more are no answer of 8,000 tokens. */
const MOST_TEXT = 128 * 1024;

/** How a server is asked for JSON; fields of the body, and what is added to the messages. */
type AnswerForm = {
  readonly fields: {
    readonly response_format?: JsonObject;
    readonly tools?: readonly JsonObject[];
    readonly tool_choice?: JsonObject;
  };
  readonly messages: readonly ModelMessage[];
};

/** By a schema; where that is refused by a function that must be called; where that is, too, in words. */
export function formOfAnswer({ schema }: WantedAnswer, manners: Manners): AnswerForm {
  if (!manners.has("no_json_schema")) {
    const json_schema = { name: NAME, strict: true, schema };
    return { fields: { response_format: { type: "json_schema", json_schema } }, messages: [] };
  }
  if (!manners.has("no_forced_function") && !manners.has("no_tools")) {
    const description = "Says what the call brought home.";
    const tool = { type: "function", function: { name: NAME, description, parameters: schema } };
    const tool_choice = { type: "function", function: { name: NAME } };
    return { fields: { tools: [tool], tool_choice }, messages: [] };
  }
  const content = `Answer with the JSON object alone, by this JSON schema:\n${JSON.stringify(schema)}`;
  return { fields: {}, messages: [{ role: "user", content }] };
}

/**
 * The JSON as the model wrote it, whichever way it took: as text, or as the arguments of a function. Whether
 * it is JSON nobody has judged. Returns whether the answer was read to its end.
 */
export async function* jsonAnswer(
  frames: AsyncIterator<AnswerFrame>,
  askedModel: string,
  patience: Patience,
): AsyncGenerator<ModelPart, boolean> {
  const [texts, given]: [string[], string[]] = [[], []];
  let characters = 0;
  let [model, input, output, finish]: [string, number | null, number | null, string | null] = [
    askedModel,
    null,
    null,
    null,
  ];
  let isUnderstood = false;
  for (;;) {
    const next = await patience.await(frames.next());
    if (next.done === true) break;
    const chunk = next.value.kind === "json" ? readChunk(next.value.value) : null;
    if (chunk === null) continue;
    isUnderstood = true;
    const pieces = chunk.toolCalls.map((call) => call.arguments);
    for (const piece of [chunk.text, ...pieces]) characters += piece.length;
    if (characters > MOST_TEXT) throw garbage();
    texts.push(chunk.text);
    given.push(...pieces);
    model = chunk.model ?? model;
    input = chunk.usage?.input ?? input;
    output = chunk.usage?.output ?? output;
    finish = chunk.finishReason ?? finish;
  }
  if (!isUnderstood) throw garbage();
  const called = given.join("");
  patience.rest();
  yield { kind: "text", text: called.trim() === "" ? texts.join("") : called };
  const reason = finish !== null && CUT_SHORT.test(finish) ? "length" : "stop";
  yield { kind: "end", reason, model, inputTokens: input, outputTokens: output };
  return true;
}

/** Reasons of servers for an answer that ended at its limit. */
export const CUT_SHORT = /^(length|max_?tokens|model_length)$/;
