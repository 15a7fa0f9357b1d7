import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type LanguageModel,
  ModelFailure,
  type ModelFailureKind,
  type ModelTool,
} from "../../../application/ports/language-model.ts";
import { mannersBook } from "../../../infrastructure/connections/server-manners.ts";
import type { GuardedFetch } from "../../../infrastructure/http/guarded-fetch.ts";
import { openAiModel } from "../../../infrastructure/models/openai/openai-model.ts";
import {
  asks,
  CHECK_ORDER,
  patientLimits,
  TALK,
} from "../../contracts/language-model/language-model-contract.ts";
import type { FakeAnswer } from "../../support/models/fake-answer.ts";
import { type OpenAiOverFake, openAiOverFake } from "../../support/models/openai-over-fake.ts";
import { recordedAnswer, recordedNames } from "../../support/models/recorded-answers.ts";

const TOOLS: readonly ModelTool[] = ["order_status", "shop_hours"].map((name) => ({ ...CHECK_ORDER, name }));

type Outcome =
  | { readonly says: string; readonly calls?: readonly string[] }
  | { readonly fails: ModelFailureKind };

const GOOD_DAY: Outcome = { says: "Good day." };
const ASKED_4711 = 'order_status {"orderId":"4711"}';
const ONE_CALL: Outcome = { says: "", calls: [ASKED_4711] };
const TWO_CALLS: Outcome = {
  says: "",
  calls: ['order_status {"orderId":"1"}', 'order_status {"orderId":"2"}'],
};

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  "200-error-json": { fails: "unavailable" },
  "429-then-ok": { fails: "throttled" },
  "azure-prompt-filter": GOOD_DAY,
  baseline: GOOD_DAY,
  "chunk-metadata-frame": GOOD_DAY,
  "content-array": GOOD_DAY,
  "content-null-refused": ONE_CALL,
  "error-finish-openrouter": { fails: "unavailable" },
  "error-frame-mid": { fails: "unavailable" },
  "finish-empty-string": GOOD_DAY,
  "finish-eos": GOOD_DAY,
  "finish-no-delta": GOOD_DAY,
  "finish-null-delta": GOOD_DAY,
  // The server's own model made a call that the server could not read: it is asked again.
  "groq-tool-use-failed": { fails: "garbage" },
  gzip: GOOD_DAY,
  "leading-newlines": GOOD_DAY,
  "legacy-text": GOOD_DAY,
  "lone-surrogate": { says: "Good \ufffd day." },
  markdown: { says: "Good day! See our page \none\ntwo\nTitle" },
  "max-tokens-refused": { fails: "refused" },
  "message-in-place-of-delta": GOOD_DAY,
  "mistral-tool-id": ONE_CALL,
  "model-loading-503": { fails: "unavailable" },
  "no-finish-but-done": GOOD_DAY,
  "no-finish-no-done": { fails: "cut_off" },
  "not-a-stream": GOOD_DAY,
  "nul-character": { says: "Good\ufffd day." },
  "only-whitespace": { says: "" },
  "parallel-as-one-message": TWO_CALLS,
  "reasoning-content": GOOD_DAY,
  refusal: { says: "I cannot help with that." },
  "roles-must-alternate": { fails: "refused" },
  // A picture is nothing for the ear; its halves came in two frames.
  "split-surrogate": GOOD_DAY,
  "sse-as-json-type": GOOD_DAY,
  "sse-as-plain": GOOD_DAY,
  "sse-bom": GOOD_DAY,
  "sse-crlf-comments": GOOD_DAY,
  "sse-empty-data": GOOD_DAY,
  "sse-no-last-blank-line": GOOD_DAY,
  "sse-no-type": GOOD_DAY,
  "sse-ping-json": GOOD_DAY,
  "sse-single-newline": GOOD_DAY,
  "stream-options-refused": { fails: "refused" },
  "text-then-tool": { says: "Let me look.", calls: [ASKED_4711] },
  "think-tags": GOOD_DAY,
  "tool-args-double-encoded": { says: "", calls: [`order_status ${JSON.stringify('{"orderId":"4711"}')}`] },
  "tool-args-extra": { says: "", calls: ['order_status {"orderId":"4711","reason":"asked"}'] },
  "tool-args-null": { says: "", calls: ["shop_hours {}"] },
  "tool-args-null-text": { says: "", calls: ["shop_hours null"] },
  "tool-args-number": { says: "", calls: ['order_status {"orderId": 4711}'] },
  "tool-args-object": ONE_CALL,
  "tool-finish-stop": ONE_CALL,
  "tool-id-per-chunk": ONE_CALL,
  "tool-in-final-chunk": ONE_CALL,
  "tool-index0-all-ids": TWO_CALLS,
  "tool-index0-all-no-id": TWO_CALLS,
  "tool-name-empty-later": ONE_CALL,
  "tool-name-in-pieces": ONE_CALL,
  "tool-name-per-chunk": ONE_CALL,
  "tool-name-spaces": ONE_CALL,
  "tool-no-index-no-id-two": TWO_CALLS,
  "tool-plain": ONE_CALL,
  "tool-result-binary": { says: "", calls: ['order_status {"orderId":"binary"}'] },
  "tool-unknown-name": ONE_CALL,
  "tools-refused": { fails: "refused" },
  "usage-empty": GOOD_DAY,
  "usage-odd": GOOD_DAY,
};

async function outcomeOf(model: LanguageModel): Promise<Outcome> {
  let says = "";
  const calls: string[] = [];
  try {
    for await (const part of model.respond(asks(TALK, { tools: TOOLS }), patientLimits())) {
      if (part.kind === "text") says += part.text;
      if (part.kind === "tool_call") calls.push(`${part.call.name} ${part.call.arguments}`);
    }
  } catch (error) {
    if (error instanceof ModelFailure) return { fails: error.kind };
    throw error;
  }
  return { says: says.trimEnd(), ...(calls.length === 0 ? {} : { calls }) };
}

describe("an answer of a real model's server", () => {
  let answer: FakeAnswer = recordedAnswer("baseline");
  let over: OpenAiOverFake;
  beforeAll(async () => {
    over = await openAiOverFake(() => answer);
  });
  afterAll(() => over.close());

  it("has an outcome here, each one", () => {
    expect(Object.keys(OUTCOMES).toSorted()).toEqual(recordedNames);
  });

  it.each(Object.entries(OUTCOMES))("%s", async (name, outcome) => {
    answer = recordedAnswer(name);
    expect(await outcomeOf(over.model)).toEqual(outcome);
  });

  it("is read when it is compressed, although nobody asked for that", async () => {
    const { body, ...rest } = recordedAnswer("gzip");
    answer = { ...rest, body: gzipSync(body) };
    expect(await outcomeOf(over.model)).toEqual(GOOD_DAY);
  });
});

/** Without a network, so that each byte is a piece of its own for certain. */
function modelOf(body: Uint8Array, headers: Readonly<Record<string, string>>): LanguageModel {
  const fetch: GuardedFetch["fetch"] = async () =>
    new Response(ReadableStream.from([...body].map((byte) => Uint8Array.of(byte))), { headers });
  const server = {
    baseUrl: "http://model.test/v1",
    apiKey: null,
    fetch,
    name: "one",
    manners: mannersBook(),
  };
  return openAiModel(server, "one");
}

describe("an answer that comes byte by byte", () => {
  it.each(Object.entries(OUTCOMES).filter(([name]) => recordedAnswer(name).status === 200))(
    "%s",
    async (name, outcome) => {
      const { body, headers } = recordedAnswer(name);
      expect(await outcomeOf(modelOf(body, headers))).toEqual(outcome);
    },
  );

  it("has its letters whole, which are cut between the pieces", async () => {
    const frame = {
      choices: [{ index: 0, delta: { content: "Günaydın, İstanbul – 你好" }, finish_reason: "stop" }],
    };
    const body = Buffer.from(`data: ${JSON.stringify(frame)}\n\n`);
    expect(await outcomeOf(modelOf(body, {}))).toEqual({ says: "Günaydın, İstanbul – 你好" });
  });
});
