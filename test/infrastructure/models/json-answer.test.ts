import { afterEach, describe, expect, it } from "vitest";
import { analysisModels } from "../../../application/call/analysis/analysis-models.ts";
import { ModelFailure } from "../../../application/ports/language-model.ts";
import { outcomeSettings } from "../../../contract/outcome.ts";
import { askOutcome } from "../../../domain/outcome/question.ts";
import type { Transcript } from "../../../domain/outcome/transcript.ts";
import { scriptedModel } from "../../../simulation/model/scripted-model.ts";
import { type FakeAnswer, MODES } from "../../support/models/fake-answer.ts";
import type { AskedModel } from "../../support/models/fake-model-server.ts";
import { type OpenAiOverFake, openAiOverFake } from "../../support/models/openai-over-fake.ts";

const open: OpenAiOverFake[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

const OUTCOME = outcomeSettings.parse({
  summary: true,
  fields: [
    { name: "confirmed", type: "boolean", description: "Whether the appointment is kept" },
    { name: "plan", type: "enum", description: "Which plan", values: ["small", "small plus"] },
    { name: "reason", type: "string", description: "Why not" },
  ],
});

const said = (index: number, role: "assistant" | "customer", content: string, turn: number) => ({
  index,
  role,
  content,
  turn,
  proves: role === "customer",
});

const TRANSCRIPT: Transcript = {
  messages: [
    said(0, "assistant", "Do you keep your appointment on Thursday?", 0),
    said(1, "customer", "Yes, I will come", 1),
    said(2, "assistant", "Which plan may it be?", 1),
    said(3, "customer", "The Small Plus one", 2),
  ],
  truncated: false,
  to: "+15005550016" as Transcript["to"],
  contactName: "Ann",
  answeredAt: "2026-11-27T09:00:00.000Z" as Transcript["answeredAt"],
  endReason: "customer_ended" as Transcript["endReason"],
  turns: 2,
};

const QUESTION = {
  ...askOutcome(OUTCOME, TRANSCRIPT, { timezone: "Europe/Berlin", language: "en" }),
  outcome: OUTCOME,
  transcript: TRANSCRIPT,
};
const SETTINGS = {
  version: 1,
  outcome: OUTCOME,
  model: null,
  modelConnectionId: null,
  language: "en",
} as const;
const ANSWER = { fields: { confirmed: { messages: [1], value: true } }, summary: "Kept." };

/** How a server answers, by the form in which it was asked. */
type Form = "json_schema" | "function" | "plain";
function formOf({ body }: AskedModel): Form {
  if (body?.["response_format"] !== undefined) return "json_schema";
  return body?.["tool_choice"] === undefined ? "plain" : "function";
}

function document(message: object, finish = "stop"): FakeAnswer {
  const body = {
    model: "fake-1",
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 210, completion_tokens: 9 },
  };
  return { kind: "status", status: 200, body: JSON.stringify(body) };
}
const inWords = (content: string): FakeAnswer => document({ role: "assistant", content });
const byFunction = (): FakeAnswer =>
  document(
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "outcome_of_the_call", arguments: JSON.stringify(ANSWER) },
        },
      ],
    },
    "tool_calls",
  );
const refusal = (status: number, message: string): FakeAnswer => ({
  kind: "status",
  status,
  body: JSON.stringify({ error: { message } }),
});

/** A server that knows only some forms, and refuses the others as real ones do. */
function knowing(known: readonly Form[], status = 400): (asked: AskedModel) => FakeAnswer {
  return (asked) => {
    const form = formOf(asked);
    if (!known.includes(form))
      return refusal(
        status,
        form === "function" ? "tool_choice is not supported" : "response_format json_schema: not supported",
      );
    return form === "function" ? byFunction() : inWords(JSON.stringify(ANSWER));
  };
}

async function over(answer: (asked: AskedModel, count: number) => FakeAnswer) {
  const made = await openAiOverFake(answer);
  open.push(made);
  const models = analysisModels({ open: async () => made.model });
  const ask = (millis = 60_000) =>
    models.ask("usr_1", SETTINGS, QUESTION, { signal: new AbortController().signal, millis });
  return { ...made, ask, forms: () => made.server.asked.map(formOf) };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof ModelFailure ? error : null),
  );

describe("a model that is asked for JSON", () => {
  it.each([
    [
      ["json_schema", "function", "plain"],
      ["json_schema", "json_schema"],
    ],
    [
      ["function", "plain"],
      ["json_schema", "function", "function"],
    ],
    [["plain"], ["json_schema", "function", "plain", "plain"]],
  ] as const)(
    "that knows %s is asked as %s, and what it refused is known from then on",
    async (known, forms) => {
      const asked = await over(knowing(known));
      const replies = [await asked.ask(), await asked.ask()];
      expect(asked.forms()).toEqual(forms);
      const model = { name: "fake-1", inputTokens: 210, outputTokens: 9 };
      expect(replies).toEqual([
        { answer: ANSWER, model },
        { answer: ANSWER, model },
      ]);
    },
  );

  it.each([400, 404, 422])("finds out a form that is refused with %i", async (status) => {
    const asked = await over(knowing(["plain"], status));
    expect((await asked.ask()).answer).toEqual(ANSWER);
  });

  it.each([
    [429, "response_format: too many requests", "throttled"],
    [503, "json_schema engine is down", "unavailable"],
    [404, "The model `gpt-x` does not exist", "refused"],
    [400, "This key may not be used", "refused"],
  ] as const)("takes a %i that says %s for no refusal of a form", async (status, message, kind) => {
    const asked = await over(() => refusal(status, message));
    expect((await failureOf(asked.ask()))?.kind).toBe(kind);
    expect(asked.forms()).toEqual(["json_schema"]);
  });

  it("is not asked in another form because its answer is too long, and says what that cost", async () => {
    const asked = await over(() => document({ role: "assistant", content: '{"fields":{' }, "length"));
    const failure = await failureOf(asked.ask());
    expect(failure).toMatchObject({ kind: "garbage", used: { inputTokens: 210, outputTokens: 9 } });
    expect(asked.forms()).toEqual(["json_schema"]);
  });

  it("is given the schema in words where it knows no other form, and in no other", async () => {
    const asked = await over(knowing(["plain"]));
    await asked.ask();
    const texts = asked.server.asked.map(({ body }) => JSON.stringify(body?.["messages"]));
    const schema = JSON.stringify(JSON.stringify(QUESTION.schema)).slice(1, -1);
    expect(texts.map((text) => text.includes(schema))).toEqual([false, false, true]);
  });

  it.each([
    ["in a fence", `Here it is:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``],
    ["after what it thought", `<think>{"fields": {}} perhaps</think>${JSON.stringify(ANSWER)}`],
    ["beside words", `Sure! ${JSON.stringify(ANSWER)} Anything else?`],
  ])("may write it %s", async (_how, content) => {
    const asked = await over(() => inWords(content));
    expect((await asked.ask()).answer).toEqual(ANSWER);
  });

  it.each([
    ["no JSON", "I cannot do that"],
    ["half of it", '{"fields": {"confirmed"'],
    ["nothing", ""],
    ["more than anybody reads", `{"summary": "${"x".repeat(140_000)}"}`],
  ])("is a failure with %s", async (_what, content) => {
    const asked = await over(() => inWords(content));
    expect((await failureOf(asked.ask()))?.kind).toBe("garbage");
  });

  it("is left alone at the limit of its time", async () => {
    const asked = await over(() => MODES.silent);
    expect((await failureOf(asked.ask(50)))?.kind).toBe("first_part_late");
  });
});

describe("the scripted model", () => {
  const scripted = analysisModels({ open: async () => scriptedModel("seed") });
  const ask = async (transcript: Transcript) =>
    (
      await scripted.ask(
        "usr_1",
        SETTINGS,
        { ...QUESTION, transcript },
        { signal: new AbortController().signal, millis: 1 },
      )
    ).answer;

  it("says what the customer answered to a question about a field, which value was named, and nothing else", async () => {
    expect(await ask(TRANSCRIPT)).toEqual({
      summary: "Ann was called and spoke 2 times. How the call ended: customer ended.",
      fields: {
        confirmed: { value: true, messages: [1] },
        plan: { value: "small plus", messages: [3] },
        reason: { value: null, messages: [] },
      },
    });
  });

  it.each([
    ["a no", "No, I cannot", { value: false, messages: [1] }],
    ["neither", "Who is this?", { value: null, messages: [] }],
  ])("hears %s", async (_what, content, confirmed) => {
    const [first, , ...rest] = TRANSCRIPT.messages;
    const messages = [first, said(1, "customer", content, 1), ...rest].filter((each) => each !== undefined);
    expect(await ask({ ...TRANSCRIPT, messages })).toMatchObject({ fields: { confirmed } });
  });

  it("takes no yes for an answer to another question", async () => {
    const messages = [said(0, "assistant", "Is this Ann?", 0), said(1, "customer", "Yes", 1)];
    expect(await ask({ ...TRANSCRIPT, messages })).toMatchObject({ fields: { confirmed: { value: null } } });
  });
});
