import { afterEach, describe, expect, it } from "vitest";
import type { ModelMessage } from "../../../application/ports/language-model.ts";
import { mannersBook } from "../../../infrastructure/connections/server-manners.ts";
import {
  asks,
  CHECK_ORDER,
  failureOf,
  partsOf,
  patientLimits,
  TALK,
} from "../../contracts/language-model/language-model-contract.ts";
import { type FakeAnswer, speaks } from "../../support/models/fake-answer.ts";
import type { AskedModel } from "../../support/models/fake-model-server.ts";
import { type OpenAiOverFake, openAiOverFake } from "../../support/models/openai-over-fake.ts";
import { pickyServer, REFUSALS } from "../../support/models/picky-server.ts";
import { recordedAnswer } from "../../support/models/recorded-answers.ts";

const open: OpenAiOverFake[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function over(answer: (asked: AskedModel, count: number) => FakeAnswer): Promise<OpenAiOverFake> {
  const made = await openAiOverFake(answer);
  open.push(made);
  return made;
}

const HELLO = speaks(["Hello ", "there"]);
const ALL = asks(TALK, { tools: [CHECK_ORDER], temperature: 0.5 });

const fieldsOf = ({ body }: AskedModel) => Object.keys(body ?? {});
const saidBy = async ({ model }: OpenAiOverFake, request = ALL) => {
  const parts = await partsOf(model.respond(request, patientLimits()));
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
};

describe("a parameter that a server refuses", () => {
  const forms = Object.entries(REFUSALS);
  const fields = ["stream_options", "temperature", "max_tokens", "tools"];
  it.each(forms.flatMap(([form, words]) => fields.map((field) => [form, field, words] as const)))(
    "is left out, or has its other name, from the second question on (%s: %s)",
    async (_form, field, words) => {
      const asked = await over(pickyServer({ refuses: [field], words }, HELLO));
      expect(await saidBy(asked)).toBe("Hello there");
      expect(await saidBy(asked)).toBe("Hello there");
      const [first, ...others] = asked.server.asked.map(fieldsOf);
      expect(first).toContain(field);
      const kept = (first ?? []).filter((name) => name !== field);
      const named = field === "max_tokens" ? [...kept, "max_completion_tokens"] : kept;
      expect(others.map((each) => each.toSorted())).toEqual([named.toSorted(), named.toSorted()]);
    },
  );

  it("is found out one after another, and then all of them are known", async () => {
    const refuses = ["stream_options", "temperature", "max_tokens", "max_completion_tokens", "stream"];
    const asked = await over(pickyServer({ refuses }, HELLO));
    expect(await saidBy(asked)).toBe("Hello there");
    const questions = asked.server.asked.length;
    expect(questions).toBeLessThanOrEqual(refuses.length + 1);
    expect(await saidBy(asked)).toBe("Hello there");
    expect(asked.server.asked).toHaveLength(questions + 1);
    expect(asked.server.asked.slice(questions).flatMap(fieldsOf).toSorted()).toEqual([
      "messages",
      "model",
      "tools",
    ]);
  });

  it("is remembered for its model, not for others of the server", async () => {
    const asked = await over(({ body }) =>
      body?.["model"] === "strict" ? pickyServer({ refuses: ["temperature"] }, HELLO)({ body }) : HELLO,
    );
    await saidBy(asked, { ...ALL, model: "strict" });
    await saidBy(asked);
    expect(asked.server.asked.map((each) => fieldsOf(each).includes("temperature"))).toEqual([
      true,
      false,
      true,
    ]);
    expect(asked.manners.all("ours")).toMatchObject([
      { model: "strict", manners: new Set(["no_temperature"]) },
    ]);
  });

  it("is not remembered when the second question fails as well", async () => {
    const asked = await over(() => recordedAnswer("max-tokens-refused"));
    expect((await failureOf(asked.model.respond(ALL, patientLimits()))).kind).toBe("refused");
    expect(
      asked.server.asked.map((each) => fieldsOf(each).filter((name) => name.startsWith("max_"))),
    ).toEqual([["max_tokens"], ["max_completion_tokens"]]);
    expect(asked.manners.all("ours")).toEqual([]);
  });

  it.each([
    ["a key", { error: { message: "Invalid API key", code: "invalid_api_key" } }],
    [
      "a fault in one function",
      { error: { message: "Invalid schema for function 'x'", param: "tools[0].function" } },
    ],
    ["a model", { error: { message: "The model `fake-1` does not exist", param: "model" } }],
  ])("is not guessed: %s is refused at once", async (_what, body) => {
    const asked = await over(() => ({ kind: "status", status: 400, body: JSON.stringify(body) }));
    expect((await failureOf(asked.model.respond(ALL, patientLimits()))).kind).toBe("refused");
    expect(asked.server.asked).toHaveLength(1);
  });

  it.each(["stream-options-refused", "tools-refused", "max-tokens-refused", "roles-must-alternate"])(
    "as a real server wrote it (%s) leads to an answer",
    async (name) => {
      const asked = await over((_asked, count) => (count === 1 ? recordedAnswer(name) : HELLO));
      expect(await saidBy(asked)).toBe("Hello there");
      expect(asked.server.asked).toHaveLength(2);
    },
  );
});

describe("roles that must take turns", () => {
  const call = { id: "D681PevKs", name: "check_order", arguments: "{}", fields: { extra: { sign: "x" } } };
  const LONG: readonly ModelMessage[] = [
    { role: "system", content: "You are a clerk." },
    { role: "assistant", content: "Good day." },
    { role: "assistant", content: "This call is recorded." },
    { role: "user", content: "Where is it?" },
    { role: "assistant", content: "Let me look." },
    { role: "assistant", content: "", toolCalls: [call] },
    { role: "tool", toolCallId: "D681PevKs", content: "shipped" },
    { role: "user", content: "Hello?" },
    { role: "assistant", content: "One moment." },
  ];

  it("are given to a server that wants them, the greeting as an answer; and again at once", async () => {
    const asked = await over(pickyServer({ rolesTakeTurns: true }, HELLO));
    expect(await saidBy(asked, asks("", { messages: LONG }))).toBe("Hello there");
    expect(await saidBy(asked, asks("", { messages: LONG }))).toBe("Hello there");
    expect(asked.server.asked).toHaveLength(3);
    expect(asked.server.asked[2]?.body?.["messages"]).toEqual([
      { role: "system", content: "You are a clerk." },
      { role: "user", content: "(The customer has answered the call.)" },
      { role: "assistant", content: "Good day.\nThis call is recorded." },
      { role: "user", content: "Where is it?" },
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          {
            extra: { sign: "x" },
            id: "D681PevKs",
            type: "function",
            function: { name: "check_order", arguments: "{}" },
          },
        ],
      },
      { role: "tool", tool_call_id: "D681PevKs", content: "shipped" },
      { role: "assistant", content: "…" },
      { role: "user", content: "Hello?" },
      { role: "assistant", content: "One moment." },
      { role: "user", content: "(The call goes on.)" },
    ]);
  });

  it("may be without a system's: its text goes into the first message", async () => {
    const asked = await over(pickyServer({ rolesTakeTurns: true, noSystemRole: true }, HELLO));
    expect(await saidBy(asked)).toBe("Hello there");
    expect(asked.server.asked.at(-1)?.body?.["messages"]).toMatchObject([
      {
        role: "user",
        content: "You are a friendly clerk of a shop.",
      },
      { role: "assistant" },
      { role: "user", content: TALK },
    ]);
  });
});

it("the form of an answer is known for a day, what else was found out with it for an hour", () => {
  const HOUR = 3_600_000;
  let now = 0;
  const book = mannersBook(() => now);
  book.learn("ours", "m", new Set(["no_json_schema", "no_temperature"]));
  now = HOUR;
  expect([...book.of("ours", "m")]).toEqual(["no_json_schema"]);
  now = 24 * HOUR - 1;
  expect([...book.of("ours", "m")]).toEqual(["no_json_schema"]);
  now += 1;
  expect([...book.of("ours", "m")]).toEqual([]);
  book.learn("ours", "m", new Set(["no_forced_function"]));
  now += 24 * HOUR - 1;
  expect(book.all("ours")).toEqual([{ model: "m", manners: new Set(["no_forced_function"]) }]);
  now += 1;
  expect(book.all("ours")).toEqual([]);
});

it("what was found out is forgotten after an hour: the server may have been changed", () => {
  let now = 0;
  const book = mannersBook(() => now);
  book.learn("ours", "one", new Set(["no_tools"]));
  now = 3_599_999;
  expect([...book.of("ours", "one")]).toEqual(["no_tools"]);
  expect([...book.of("other", "one"), ...book.of("ours", "two")]).toEqual([]);
  now = 3_600_000;
  expect([...book.of("ours", "one"), ...book.all("ours")]).toEqual([]);
});
