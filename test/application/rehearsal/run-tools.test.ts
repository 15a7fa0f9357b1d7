import { describe, expect, it } from "vitest";
import type { PastAnswer, RehearsedCase } from "../../../domain/rehearsal/rehearsal.ts";
import { API_TOOL, played } from "./rehearsed-run.ts";

const ARGUMENTS = { day: "Monday" };

/** A run whose model asks the tool once with these arguments, and what it was shown. */
async function asked(settings: {
  readonly tools?: RehearsedCase["tools"];
  readonly sample?: string;
  readonly given?: object;
  readonly says?: string;
}) {
  const run = await played({
    says: [settings.says ?? "When is my appointment?"],
    speaker: { tools: [API_TOOL] },
    answer: (_request, number) =>
      number === 1
        ? [{ call: API_TOOL.functionName, with: JSON.stringify(settings.given ?? ARGUMENTS) }]
        : [{ text: "I see." }],
    ...(settings.sample === undefined ? {} : { line: { samples: { [API_TOOL.toolId]: settings.sample } } }),
    case: { tools: settings.tools ?? {} },
  });
  const message = run.messages.find(({ role }) => role === "tool");
  return { ...run, shown: message?.result, isError: message?.isError };
}

describe("a tool in a run", () => {
  it("answers what the first entry that fits its arguments says", async () => {
    const tools = {
      [API_TOOL.name]: [
        { when: { day: "Tuesday" }, answer: "never" },
        { when: { day: "Monday" }, answer: { time: "10:00" } },
        { when: null, answer: "never" },
      ],
    };
    const run = await asked({ tools, sample: "never" });
    expect([run.shown, run.isError, run.warnings]).toEqual(['200\n{"time":"10:00"}', false, []]);
  });

  it("answers its sample where the case says nothing", async () => {
    const tools = { [API_TOOL.name]: [{ when: { day: "Tuesday" }, answer: "never" }] };
    expect((await asked({ tools, sample: "At ten." })).shown).toBe("200\nAt ten.");
  });

  it("cannot be used where nobody says what it answers, which is a use of it all the same", async () => {
    const run = await asked({});
    expect([run.shown, run.isError, run.warnings, run.toolCalls]).toEqual([
      "This tool cannot be used here.",
      true,
      ["tool_not_answered"],
      1,
    ]);
  });

  it("fails as the case says", async () => {
    const run = await asked({ tools: { [API_TOOL.name]: [{ when: null, fails: "failed" }] } });
    expect([run.isError, run.words.at(-1)]).toEqual([true, "answer: I see."]);
  });

  it("takes 8 s of our time to fail late, with its filler", async () => {
    const run = await asked({ tools: { [API_TOOL.name]: [{ when: null, fails: "timed_out" }] } });
    const [said, heard] = ["customer:", "answer:"].map((kind) =>
      run.words.findIndex((each) => each.startsWith(kind)),
    );
    const took = (run.messages[heard ?? -1]?.offsetMs ?? 0) - (run.messages[said ?? -1]?.offsetMs ?? 0);
    expect(took).toBeGreaterThanOrEqual(8_000);
    expect(run.words.some((each) => each.startsWith("filler:"))).toBe(true);
    expect(run.millis).toBeLessThan(4_000);
  });

  it("is refused wrong arguments as in a call", async () => {
    const tools = { [API_TOOL.name]: [{ when: null, answer: "never" }] };
    const run = await asked({ tools, given: { when: "Monday" } });
    expect([run.shown, run.isError]).toEqual(['The argument "day" is missing', true]);
    const case_ = { tools, expect: [{ noTool: API_TOOL.name }] };
    expect((await played({ case: case_, speaker: { tools: [API_TOOL] } })).status).toBe("passed");
  });
});

describe("a tool in a run of a past call", () => {
  const then = (shown: string, given: PastAnswer["arguments"], changes: Partial<PastAnswer> = {}) => ({
    functionName: API_TOOL.functionName,
    arguments: given,
    outcome: "answered" as const,
    shown,
    isError: false,
    millis: 1_200,
    ...changes,
  });
  const shownBy = async (answers: readonly PastAnswer[], times = 1) => {
    const run = await played({
      speaker: { tools: [API_TOOL] },
      answer: (_request, number) =>
        number <= times
          ? [{ call: API_TOOL.functionName, with: JSON.stringify(ARGUMENTS), id: `call_${number}` }]
          : [{ text: "I see." }],
      line: { samples: { [API_TOOL.toolId]: "a sample" } },
      case: {
        caller: {
          kind: "past",
          call: {
            callId: "call_1",
            seed: "call_1",
            answeredBy: "human",
            turns: [{ after: null, pauseMillis: 500, turn: { kind: "words", text: "When is it?" } }],
            end: { how: "hangs_up", after: null, pauseMillis: 500 },
            answers,
            begunAt: "2026-09-01T10:00:00.000Z",
            contactName: null,
            customData: null,
            greetingMessage: "Hello again.",
            specialInstructions: null,
            callback: null,
          },
        },
      },
    });
    expect(run.words[0]).toBe("greeting: Hello again.");
    return run.messages.flatMap(({ role, result }) => (role === "tool" ? [result] : []));
  };

  it("answers as it did then, to the same arguments", async () => {
    expect(await shownBy([then("200\nat nine", { day: "Sunday" }), then("200\nat ten", ARGUMENTS)])).toEqual([
      "200\nat ten",
    ]);
  });

  it("answers in the order of then, and at last the same again", async () => {
    const late = then("It was late", ARGUMENTS, { outcome: "timed_out", isError: true });
    expect(await shownBy([late, then("200\nat ten", ARGUMENTS)], 3)).toEqual([
      "It was late",
      "200\nat ten",
      "200\nat ten",
    ]);
  });

  it("answers its sample to other arguments", async () => {
    expect(await shownBy([then("200\nat nine", { day: "Sunday" })])).toEqual(["200\na sample"]);
  });
});
