import { expect, it } from "vitest";
import { createModelCheck } from "../../../application/call/health/model-check.ts";
import type { ModelUse } from "../../../application/ports/assistant-check.ts";
import { type LanguageModel, ModelFailure } from "../../../application/ports/language-model.ts";
import { MODES, speaks } from "../../support/models/fake-answer.ts";
import { openAiOverFake } from "../../support/models/openai-over-fake.ts";

const USE: ModelUse = { owner: "usr_1", connectionId: null, model: null };

it.each([
  ["speaks", speaks(["OK"]), true],
  ["dies in mid-answer", MODES.death, false],
  ["refuses", MODES.refused_chunk, false],
] as const)("asks a model that %s", async (_name, answer, well) => {
  const fake = await openAiOverFake(() => answer);
  const check = createModelCheck({ open: async () => fake.model });
  expect(await check.check(USE)).toBe(well);
  await fake.close();
});

it("finds a model whose connection is gone not well, and nothing against none at all", async () => {
  const gone = createModelCheck({ open: () => Promise.reject(new ModelFailure("refused", "gone")) });
  expect([await gone.check(USE), await createModelCheck(null).check(USE)]).toEqual([false, true]);
});

it("asks one short question, without tools, of the model that is in use", async () => {
  const opened: unknown[] = [];
  const asked: unknown[] = [];
  const model: LanguageModel = {
    async *respond(request) {
      asked.push(request);
      // it is cut off: no model that is well ends like that
      yield { kind: "text", text: "O" };
    },
  };
  const check = createModelCheck({
    open: async (...which) => {
      opened.push(which);
      return model;
    },
  });
  expect(await check.check({ owner: "usr_1", connectionId: "conn_1", model: "small" })).toBe(false);
  expect(opened).toEqual([["usr_1", "conn_1", "check"]]);
  const messages = [{ role: "user", content: "Answer with the word OK." }];
  expect(asked).toEqual([{ messages, tools: [], model: "small", temperature: null, maxTokens: 16 }]);
});
