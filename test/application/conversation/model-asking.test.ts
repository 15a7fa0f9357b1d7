import { setImmediate as everythingRan } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Ask, createModelAsking } from "../../../application/conversation/model-asking.ts";
import {
  type LanguageModel,
  ModelFailure,
  type ModelLimits,
  type ModelPart,
} from "../../../application/ports/language-model.ts";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { Input } from "../../../domain/conversation/inputs.ts";
import { SPEAKER } from "../../support/conversation/conversation-world.ts";
import { keptLines } from "./kept-lines.ts";

const ADA: PinnedSpeaker = { ...SPEAKER, modelConnectionId: "conn_ada" };
const BOB: PinnedSpeaker = { ...SPEAKER, modelConnectionId: "conn_bob" };
const PROMPT = { messages: [], tools: [], model: null, temperature: null, maxTokens: 400 };
const text = (words: string): ModelPart => ({ kind: "text", text: words });
const end: ModelPart = { kind: "end", reason: "stop", model: "m", inputTokens: 1, outputTokens: 1 };

const ask = (generation: number, speaker: Ask["speaker"] = ADA): Ask => ({
  type: "ask",
  generation,
  speaker,
  prompt: PROMPT,
  firstPartMillis: 12_000,
  stallMillis: 8_000,
});

/** Models of one call that answer what the test says. */
function asking(
  respond: (limits: ModelLimits) => AsyncIterable<ModelPart>,
  open: (connection: unknown) => Promise<void> = async () => undefined,
) {
  const told: Input[] = [];
  const opened: unknown[] = [];
  const limits: ModelLimits[] = [];
  const logger = keptLines();
  const model: LanguageModel = {
    respond: (_prompt, given) => {
      limits.push(given);
      return respond(given);
    },
  };
  const models = {
    open: async (...given: readonly unknown[]) => {
      opened.push(given);
      await open(given[1]);
      return model;
    },
  };
  const call = { owner: "usr_1", callId: "call_1", speakers: [ADA, BOB] } as const;
  const asked = createModelAsking({ models, logger }, call, (input) => void told.push(input));
  return { ...asked, told, opened, limits, logger };
}

async function* says(...parts: readonly ModelPart[]): AsyncGenerator<ModelPart> {
  yield* parts;
}

async function* fails(error: Error): AsyncGenerator<ModelPart> {
  yield text("Well");
  throw error;
}

describe("the model of a speaker", () => {
  it("is asked with the turn's limits, and every part of its answer is told under its number", async () => {
    const { ask: start, told, limits } = asking(() => says(text("Fine."), end));
    start(ask(4));
    await everythingRan();
    expect(told).toEqual([text("Fine."), end].map((part) => ({ type: "model_part", generation: 4, part })));
    expect(limits).toMatchObject([{ firstPartMillis: 12_000, stallMillis: 8_000 }]);
  });

  it("is that of its own connection, opened once a call; who has none has the installation's", async () => {
    const { ask: start, opened } = asking(() => says(end));
    for (const [number, speaker] of [ADA, BOB, ADA, SPEAKER, BOB].entries()) start(ask(number, speaker));
    await everythingRan();
    expect(opened).toEqual([
      ["usr_1", "conn_ada", "call_1"],
      ["usr_1", "conn_bob", "call_1"],
      ["usr_1", null, "call_1"],
    ]);
  });

  it("that could not be opened is opened again for the next answer", async () => {
    let times = 0;
    const {
      ask: start,
      told,
      opened,
    } = asking(
      () => says(end),
      async () => {
        times += 1;
        if (times === 1) throw new ModelFailure("refused", "the connection is gone");
      },
    );
    start(ask(1));
    await everythingRan();
    start(ask(2));
    await everythingRan();
    expect(opened).toHaveLength(2);
    expect(told.map(({ type }) => type)).toEqual(["model_failed", "model_part"]);
  });
});

describe("an answer that fails", () => {
  it("says of what kind, and when to come back, and is no fault of ours", async () => {
    const { ask: start, told, logger } = asking(() => fails(new ModelFailure("throttled", "slower", 1_500)));
    start(ask(2));
    await everythingRan();
    expect(told[1]).toEqual({
      type: "model_failed",
      generation: 2,
      kind: "throttled",
      retryAfterMillis: 1_500,
    });
    expect(logger.lines).toEqual([]);
  });

  it("without saying why counts as a model that is not there, and the log of the service has it", async () => {
    const { ask: start, told, logger } = asking(() => fails(new TypeError("x is undefined")));
    start(ask(2));
    await everythingRan();
    expect(told[1]).toEqual({
      type: "model_failed",
      generation: 2,
      kind: "unavailable",
      retryAfterMillis: null,
    });
    expect(logger.lines).toEqual([
      {
        level: "error",
        message: "the model could not be asked",
        fields: { callId: "call_1", error: expect.any(TypeError) },
      },
    ]);
  });
});

describe("an answer that is not wanted any more", () => {
  it("is aborted, and nothing of it is told: no part, no failure", async () => {
    const waits = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const {
      ask: start,
      abort,
      told,
      limits,
      logger,
    } = asking(async function* () {
      try {
        yield text("One");
        await waits.promise;
        yield text("two");
      } finally {
        left.resolve();
      }
    });
    start(ask(1));
    await everythingRan();
    abort(1);
    waits.resolve();
    await left.promise;
    expect([limits[0]?.signal.aborted, told.length, logger.lines]).toEqual([true, 1, []]);
  });

  it("and fails for that tells no failure", async () => {
    const {
      ask: start,
      abort,
      told,
    } = asking(async function* ({ signal }) {
      yield text("One");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new ModelFailure("aborted", "aborted");
    });
    start(ask(1));
    await everythingRan();
    abort(1);
    await everythingRan();
    expect(told).toHaveLength(1);
  });

  it("leaves the others alone, and one that is complete is not aborted", async () => {
    const { ask: start, abort, limits } = asking(() => says(end));
    start(ask(1));
    start(ask(2));
    await everythingRan();
    abort(2);
    abort(3);
    expect(limits.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });
});
