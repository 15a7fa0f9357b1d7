import type OpenAI from "openai";
import {
  type LanguageModel,
  ModelFailure,
  type ModelLimits,
  type ModelPart,
  type ModelRequest,
} from "../../../application/ports/language-model.ts";
import { garbage, parseChunk } from "./chat-chunk.ts";
import { chatRequest } from "./chat-request.ts";
import { failureOf } from "./failure-of.ts";
import { gatheredAnswer } from "./gathered-answer.ts";
import { type OpenAiServer, openAiClient } from "./openai-server.ts";
import { type Patience, patienceOf } from "./patience.ts";

/** Token counts come after the end of an answer; this is the longest wait for them. */
const FIGURES_MILLIS = 1_000;

/**
 * A model of any server with OpenAI's `chat.completions` and server-sent events. `defaultModel`: for
 * requests that name none.
 */
export function openAiModel(server: OpenAiServer, defaultModel: string): LanguageModel {
  const client = openAiClient(server);
  return {
    respond: (request, limits) => {
      const model = request.model ?? defaultModel;
      return answerOf(client, request, model, server.baseUrl, limits);
    },
  };
}

async function* answerOf(
  client: OpenAI,
  request: ModelRequest,
  model: string,
  baseUrl: string,
  limits: ModelLimits,
): AsyncGenerator<ModelPart> {
  const patience = patienceOf(limits);
  let begun = false;
  let readWhole = false;
  try {
    patience.allow(limits.firstPartMillis, () => late(limits.firstPartMillis));
    const chunks = await patience.await(openStream(client, chatRequest(request, model, baseUrl), patience));
    begun = true;
    readWhole = yield* partsOf(chunks, model, limits, patience);
  } catch (error) {
    throw failureOf(error, begun);
  } finally {
    patience.end(readWhole);
  }
}

type Chunks = AsyncIterator<unknown>;

/** Nothing needed follows, although the server has not ended its answer. */
const ENOUGH = { done: true, value: "enough" } as const;

async function openStream(
  client: OpenAI,
  body: ReturnType<typeof chatRequest>,
  patience: Patience,
): Promise<Chunks> {
  if (patience.signal.aborted) return Promise.withResolvers<never>().promise;
  const { data, response } = await client.chat.completions
    .create(body, { signal: patience.signal })
    .withResponse();
  if (/^(application\/json|text\/html)\b/i.test(response.headers.get("content-type") ?? "")) throw garbage();
  return data[Symbol.asyncIterator]();
}

/** Returns whether the answer was read to its end. */
async function* partsOf(
  chunks: Chunks,
  model: string,
  limits: ModelLimits,
  patience: Patience,
): AsyncGenerator<ModelPart, boolean> {
  const gathered = gatheredAnswer(model);
  let hasBegun = false;
  for (;;) {
    if (hasBegun) allowNext(patience, limits, gathered.isFinished());
    const next = await patience.await(chunks.next()).catch((error: unknown) => {
      if (gathered.isFinished() && !limits.signal.aborted) return ENOUGH;
      throw error;
    });
    if (next.done === true) {
      if (!gathered.isFinished()) throw cutOff();
      patience.rest();
      yield* gathered.rest();
      return next !== ENOUGH;
    }
    const chunk = parseChunk(next.value);
    const isOfAnswer = gathered.take(chunk);
    hasBegun ||= isOfAnswer;
    if (hasBegun) patience.rest();
    if (chunk.text !== "") yield { kind: "text", text: chunk.text };
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
