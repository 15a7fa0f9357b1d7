import { callsInPieces, type FakeAnswer, speaks } from "../../support/models/fake-answer.ts";
import type { AskedModel } from "../../support/models/fake-model-server.ts";
import { openAiOverFake } from "../../support/models/openai-over-fake.ts";
import { languageModelContract } from "./language-model-contract.ts";

const WORDS = ["Good ", "day, ", "this ", "is ", "the ", "shop."];

/**
 * As a real model would: a call when a tool is offered and nothing has answered it yet, else
 * words up to the limit.
 */
function answer({ body }: AskedModel): FakeAnswer {
  const { tools, messages, max_tokens } = { tools: [], messages: [], max_tokens: 0, ...body };
  const last: unknown = messages.at(-1);
  const answered = JSON.stringify(last).includes('"tool"');
  if (tools.length > 0 && !answered)
    return callsInPieces([{ id: "call_a", name: "check_order", arguments: '{"orderId":"4711"}' }]);
  return max_tokens < WORDS.length ? speaks(WORDS.slice(0, max_tokens), "length") : speaks(WORDS);
}

languageModelContract("openai over a fake server", async () => ({
  ...(await openAiOverFake(answer)),
  name: "fake-1",
}));
