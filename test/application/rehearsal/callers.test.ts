import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../../application/ports/language-model.ts";
import type { RehearsedCaller, WrittenTurn } from "../../../domain/rehearsal/rehearsal.ts";
import { behaviourOf } from "../../../simulation/callee/personas.ts";
import type { Answer } from "../../support/conversation/scripted-models.ts";
import { API_TOOL, played } from "./rehearsed-run.ts";

const WORDS = (text: string): WrittenTurn => ({ kind: "words", text });
const SAYS = (text: string): Answer => [{ wait: 300 }, { text }];

const written = (...turns: readonly WrittenTurn[]) => ({ caller: { kind: "written", turns } as const });

describe("somebody who is written", () => {
  it("says one thing after the other when it was answered, and hangs up after the last answer", async () => {
    const run = await played({
      case: written(WORDS("Who is this?"), { kind: "keys", keys: "12" }, WORDS("Good.")),
      answer: (_request, number) => SAYS(`Answer ${number}.`),
    });
    expect(run.words).toEqual([
      "greeting: Hello",
      "customer: Who is this?",
      "answer: Answer 1.",
      "customer: [keys: 12]",
      "answer: Answer 2.",
      "customer: Good.",
      "answer: Answer 3.",
    ]);
    expect(run).toMatchObject({ endReason: "customer_ended", turns: 3, warnings: [] });
  });

  it("waits for what a tool brings, and takes a filler for no answer", async () => {
    const run = await played({
      case: {
        ...written(WORDS("When is it?")),
        tools: { [API_TOOL.name]: [{ when: null, fails: "timed_out" }] },
      },
      speaker: { tools: [API_TOOL] },
      answer: (_request, number) =>
        number === 1 ? [{ call: API_TOOL.functionName, with: '{"day":"Monday"}' }] : SAYS("I cannot see it."),
    });
    const spoken = run.messages.map(({ role, kind, content }) =>
      role === "tool" ? role : `${kind}: ${content}`,
    );
    expect(spoken.slice(2)).toEqual(["tool", expect.stringMatching(/^filler: /), "answer: I cannot see it."]);
  });

  it("says nothing until it is asked whether it is still there", async () => {
    const run = await played({
      case: written(WORDS("Hello."), { kind: "silence" }, WORDS("Yes, I am.")),
      answer: () => SAYS("Fine."),
    });
    expect(run.words).toEqual([
      "greeting: Hello",
      "customer: Hello.",
      "answer: Fine.",
      "prompt: Are you still there?",
      "customer: Yes, I am.",
      "answer: Fine.",
    ]);
  });

  it("is a mailbox, which hears the message after its tone", async () => {
    const run = await played({
      case: written({ kind: "machine", text: "Leave a message after the tone." }),
      line: { voicemailPolicy: "leave_message", voicemailMessage: "Call us back." },
    });
    expect(run.words.at(-1)).toBe("voicemail: Call us back.");
    expect(run).toMatchObject({ endReason: "voicemail_message_left", warnings: [] });
  });

  it("speaks first where nobody greets it", async () => {
    const run = await played({
      case: written(WORDS("Who is there?")),
      speaker: { greetingMessage: "" },
      answer: () => SAYS("Ada."),
    });
    expect(run.words).toEqual(["customer: Who is there?", "answer: Ada."]);
  });

  it("has not said everything when the assistant ends the call before", async () => {
    const run = await played({
      case: written(WORDS("Goodbye."), WORDS("One thing more.")),
      answer: () => [{ text: "Goodbye." }, { call: "end_call" }],
    });
    expect(run).toMatchObject({ endReason: "assistant_ended", turns: 1, warnings: ["caller_not_finished"] });
  });

  it("hangs up in place of one turn more than it may have; silence is none", async () => {
    const turns = [WORDS("One."), { kind: "silence" } as const, WORDS("Two."), WORDS("Three.")];
    const run = await played({ case: { ...written(...turns), maxTurns: 2 }, answer: () => SAYS("Go on.") });
    expect(run).toMatchObject({ endReason: "customer_ended", turns: 2, warnings: ["max_turns"] });
  });
});

const PERSONA: RehearsedCaller = { kind: "persona", persona: "A pensioner in a hurry.", goal: "To cancel." };

/** The persona has the one function of which the assistant knows nothing. */
const isPersona = ({ tools }: ModelRequest): boolean => tools.some(({ name }) => name === "hang_up");

describe("a persona", () => {
  it("is a model that hears what was heard, says what it answers, and hangs up by its function", async () => {
    const turns: readonly Answer[] = [
      [{ text: "I want to cancel." }],
      [{ text: "Thank you, goodbye." }, { call: "hang_up" }],
    ];
    let turn = 0;
    const run = await played({
      case: { caller: PERSONA },
      speaker: { language: "tr", model: "large" },
      answer: (request) => (isPersona(request) ? (turns[turn++] ?? []) : SAYS("It is cancelled.")),
    });
    expect(run.words.slice(1)).toEqual([
      "customer: I want to cancel.",
      "answer: It is cancelled.",
      "customer: Thank you, goodbye.",
    ]);
    expect(run).toMatchObject({ status: "passed", endReason: "customer_ended", turns: 2 });
    const [first, second] = run.requests.filter(isPersona);
    expect(first).toMatchObject({ model: "large", maxTokens: 400 });
    expect(first?.messages[0]?.content).toContain("A pensioner in a hurry.");
    expect(first?.messages[0]?.content).toContain("To cancel.");
    expect(second?.messages.slice(1)).toEqual([
      { role: "user", content: "Hello" },
      { role: "assistant", content: "I want to cancel." },
      { role: "user", content: "It is cancelled." },
    ]);
  });

  it("takes no time of the call while it thinks", async () => {
    const run = await played({
      case: { caller: PERSONA, maxTurns: 1 },
      answer: (request) => (isPersona(request) ? [{ wait: 9_000 }, { text: "Yes." }] : SAYS("Fine.")),
    });
    expect(run.words).toEqual(["greeting: Hello", "customer: Yes.", "answer: Fine."]);
    expect(run.warnings).toEqual(["max_turns"]);
  });

  it("that never ends is cut in its words, and hangs up after its turns", async () => {
    const run = await played({
      case: { caller: PERSONA, maxTurns: 2 },
      answer: (request) => (isPersona(request) ? [{ forever: "bla " }] : SAYS("I see.")),
    });
    const [said] = run.messages.filter(({ role }) => role === "customer");
    expect(said?.content?.length).toBeLessThanOrEqual(2_000);
    expect(run).toMatchObject({ turns: 2, endReason: "customer_ended", warnings: ["max_turns"] });
  });

  it("that fails once is asked again; twice, and nobody knows", async () => {
    let asked = 0;
    const once = await played({
      case: { caller: PERSONA, maxTurns: 1 },
      answer: (request) => {
        if (!isPersona(request)) return SAYS("Fine.");
        asked += 1;
        return asked === 1 ? [{ fail: "stalled" }] : [{ text: "Yes." }];
      },
    });
    expect(once).toMatchObject({ status: "passed", turns: 1 });
    const twice = await played({
      case: { caller: PERSONA },
      answer: (request) => (isPersona(request) ? [{ text: "  " }] : SAYS("Fine.")),
    });
    expect(twice).toMatchObject({ status: "error", turns: 0, endReason: "customer_ended" });
    expect(twice.problem).toContain("said nothing");
  });

  it("is the simulated callee where the model is the scripted one, and the run says so", async () => {
    const seeds: string[] = [];
    const run = await played({
      case: { caller: PERSONA },
      world: {
        simulatedCallee: async (seed) => {
          seeds.push(seed);
          return behaviourOf({ seed: 1, to: "+15005550006", dialsBefore: 0, outcome: "agrees" });
        },
      },
    });
    expect(seeds).toEqual(["a case:1"]);
    expect(run).toMatchObject({ status: "passed", warnings: ["scripted_persona"] });
    expect(run.turns).toBeGreaterThan(0);
  });
});
