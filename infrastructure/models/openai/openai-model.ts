import {
  type LanguageModel,
  ModelFailure,
  type ModelLimits,
  type ModelPart,
  type ModelRequest,
} from "../../../application/ports/language-model.ts";
import { type AnswerFrame, answerFrames } from "./answer-frames.ts";
import { askedServer, type OpenAiServer } from "./asked-server.ts";
import { garbage, readChunk } from "./chat-chunk.ts";
import { failureOf } from "./failure-of.ts";
import { gatheredAnswer } from "./gathered-answer.ts";
import { jsonAnswer } from "./json-answer.ts";
import { type Patience, patienceOf } from "./patience.ts";

/** Token counts come after the end of an answer; this is the longest wait for them. */
const FIGURES_MILLIS = 1_000;

/**
 * A model of any server with OpenAI's `chat.completions` and server-sent events. `defaultModel`: for
 * requests that name none.
 */
export function openAiModel(server: OpenAiServer, defaultModel: string): LanguageModel {
  return {
    respond: (request, limits) => answerOf(server, request, request.model ?? defaultModel, limits),
  };
}

async function* answerOf(
  server: OpenAiServer,
  request: ModelRequest,
  model: string,
  limits: ModelLimits,
): AsyncGenerator<ModelPart> {
  const patience = patienceOf(limits);
  let begun = false;
  let readWhole = false;
  try {
    patience.allow(limits.firstPartMillis, () => late(limits.firstPartMillis));
    const answer = await askedServer(server, request, model, patience);
    begun = true;
    const frames = answerFrames(answer);
    if (request.wanted === undefined) readWhole = yield* partsOf(frames, request, model, limits, patience);
    else readWhole = yield* jsonAnswer(frames, model, patience);
  } catch (error) {
    throw failureOf(error, begun);
  } finally {
    patience.end(readWhole);
  }
}

/** Nothing needed follows, although the server has not ended its answer. */
const ENOUGH = { done: true, value: "enough" } as const;

/** Returns whether the answer was read to its end. */
async function* partsOf(
  frames: AsyncIterator<AnswerFrame>,
  { tools }: ModelRequest,
  model: string,
  limits: ModelLimits,
  patience: Patience,
): AsyncGenerator<ModelPart, boolean> {
  const gathered = gatheredAnswer(model, new Set(tools.map(({ name }) => name)));
  let hasBegun = false;
  let isUnderstood = false;
  for (;;) {
    if (hasBegun) allowNext(patience, limits, gathered.isFinished());
    const next = await patience.await(frames.next()).catch((error: unknown) => {
      if (gathered.isFinished() && !limits.signal.aborted) return ENOUGH;
      throw error;
    });
    if (next.done === true) {
      if (!gathered.isFinished()) throw isUnderstood ? cutOff() : garbage();
      patience.rest();
      yield* gathered.rest();
      return next !== ENOUGH;
    }
    if (next.value.kind === "done") {
      gathered.done();
      continue;
    }
    const chunk = readChunk(next.value.value);
    if (chunk === null) continue;
    isUnderstood = true;
    const { text, isOfAnswer } = gathered.take(chunk);
    hasBegun ||= isOfAnswer;
    if (hasBegun) patience.rest();
    if (text !== "") yield { kind: "text", text };
  }
}

function cutOff(): ModelFailure {
  return new ModelFailure("cut_off", "The model's answer ended without a reason");
}

function allowNext(patience: Patience, { stallMillis }: ModelLimits, isFinished: boolean): void {
  const millis = isFinished ? Math.min(stallMillis, FIGURES_MILLIS) : stallMillis;
  patience.allow(millis, () => new ModelFailure("stalled", `The model said nothing more for ${millis} ms`));
}

function late(millis: number): ModelFailure {
  return new ModelFailure("first_part_late", `The model said nothing within ${millis} ms`);
}
