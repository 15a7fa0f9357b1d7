import { describe, expect, it } from "vitest";
import type { OutcomeSettings } from "../../../domain/outcome/settings.ts";
import { SPEAKER } from "../../support/conversation/conversation-world.ts";
import { played, tool } from "./rehearsed-run.ts";

const SILENT = Array.from({ length: 5 }, () => ({ kind: "silence" }) as const);

describe("a run", () => {
  it("is a conversation as a call has it, under the id of the run", async () => {
    const { words, requests, ...run } = await played({
      says: ["Yes, I am here."],
      answer: () => [{ text: "Good. " }, { text: "See you then." }],
      case: { contact: { name: "Ayşe", customData: { doctor: "Dr. Kaya" }, timezone: null } },
      speaker: { greetingMessage: "Hello {{name}}, this is Ada of {{doctor}}." },
    });
    expect(words).toEqual([
      "greeting: Hello Ayşe, this is Ada of Dr. Kaya.",
      "customer: Yes, I am here.",
      "answer: Good. See you then.",
    ]);
    expect(run).toMatchObject({ status: "passed", problem: null, endReason: "customer_ended", turns: 1 });
    expect(run).toMatchObject({ inputTokens: 10, outputTokens: 5, toolCalls: 0, outcome: null });
    const system = requests[0]?.messages[0]?.content ?? "";
    for (const known of [
      "+15005550006",
      "+15005550000",
      '"call_id":"run_1"',
      '"campaign_id":null',
      "Dr. Kaya",
    ])
      expect(system).toContain(known);
  });

  it("says what the case gives it in place of the assistant's own", async () => {
    const { words, requests } = await played({
      answer: () => [{ text: "Fine." }],
      case: {
        contact: { name: "Ayşe", customData: { day: "Monday" }, timezone: null },
        greetingMessage: "Good morning {{name}}.",
        specialInstructions: "Ask about {{day}}.",
      },
    });
    expect(words[0]).toBe("greeting: Good morning Ayşe.");
    expect(requests[0]?.messages[0]?.content).toContain("Ask about Monday.");
  });

  it("is not played where a text gets too long for the contact", async () => {
    const contact = { name: "A".repeat(5_000), customData: null, timezone: null };
    const run = await played({ speaker: { greetingMessage: "Hello {{name}}" }, case: { contact } });
    const problem = "greetingMessage is longer than 4096 bytes when it is filled for this contact";
    expect(run).toMatchObject({ status: "error", problem, messages: [] });
  });

  it("has the same answers of the scripted model for the same case and number", async () => {
    const says = ["What is your name?", "Where are you calling from?", "Goodbye"];
    const [one, same] = [await played({ says }), await played({ says })];
    expect(one.messages).toEqual(same.messages);
    expect(one.endReason).toBe("assistant_ended");
  });

  it("takes the time of a line, and none of ours", async () => {
    const run = await played({
      says: [],
      case: { caller: { kind: "written", turns: SILENT } },
    });
    expect(run.words.filter((each) => each.startsWith("prompt:"))).toHaveLength(2);
    expect([run.endReason, run.turns]).toEqual(["silence_timeout", 0]);
    const last = run.messages.at(-1);
    expect(last?.offsetMs).toBeGreaterThan(2 * SPEAKER.silenceTimeoutSeconds * 1_000);
    expect(run.millis).toBeLessThan(5_000);
  });

  it("ends at the longest duration, after its warning", async () => {
    const says = Array.from({ length: 20 }, () => "Go on, please.");
    const answer = () => [{ text: "This goes on and on, for as long as you like, and longer." }];
    const run = await played({ says, answer, line: { maxDurationSeconds: 60 }, case: { maxTurns: 20 } });
    expect(run.endReason).toBe("max_duration");
    expect(run.words.some((each) => each.startsWith("warning:"))).toBe(true);
  });

  it("begins when the case says", async () => {
    const run = await played({ case: { at: "2030-02-03T04:05:06.000Z" } });
    expect(run.messages[0]?.at.slice(0, 19)).toBe("2030-02-03T04:05:06");
  });

  it("hangs up where more is said than 256 KiB", async () => {
    const says = Array.from({ length: 200 }, () => "Go on, please.");
    const answer = () => [{ text: "word ".repeat(380) }];
    const run = await played({ says, answer, line: { maxDurationSeconds: 86_400 }, case: { maxTurns: 200 } });
    expect(run).toMatchObject({ status: "passed", endReason: "customer_ended", warnings: ["too_long"] });
    expect(JSON.stringify(run.messages).length).toBeLessThan(256 * 1_024);
    expect(run.turns).toBeGreaterThan(50);
  });

  it("has passed when it meets what is expected", async () => {
    const expect_ = [{ says: "thank you" }, { endReason: "max_duration" }, { optedOut: true }] as const;
    const run = await played({ answer: () => [{ text: "Thank you!" }], case: { expect: expect_ } });
    expect(run.status).toBe("failed");
    expect(run.failures.map((each) => each.expect)).toEqual([expect_[1], expect_[2]]);
  });
});

describe("what would leave a call", () => {
  it("stays in the run: somebody who asks not to be called hears the confirmation", async () => {
    const speaker = {
      optOut: "listen",
      optOutDigit: "9",
      optOutMessage: "You are not called again.",
    } as const;
    const case_ = { expect: [{ optedOut: true }, { endReason: "assistant_ended" }] } as const;
    const run = await played({ says: ["Please stop calling me."], speaker, case: case_ });
    expect([run.status, run.words.at(-1)]).toEqual(["passed", "answer: You are not called again."]);
  });

  it("is carried out by a transfer, which ends the run", async () => {
    const transfer = tool({
      name: "To a person",
      functionName: "to_a_person",
      type: "TRANSFER_CALL",
      config: { to: "+14155550199", message: "I put you through." },
    });
    const run = await played({
      says: ["I want to talk to a person."],
      speaker: { tools: [transfer] },
      answer: () => [{ call: "to_a_person" }],
      case: { expect: [{ tool: "To a person" }] },
    });
    expect([run.status, run.endReason]).toEqual(["passed", "transferred"]);
    expect(run.words).toContain("handoff: I put you through.");
  });

  it("is carried out by a handoff: the next member goes on", async () => {
    const link = {
      toMemberId: "mbr_2" as const,
      toolName: "to_billing",
      description: "Billing",
      message: "My colleague goes on.",
      contextMode: "all" as const,
      contextMaxMessages: null,
      variables: [],
    };
    const speakers = [
      { ...SPEAKER, memberId: "mbr_1" as const, handoffs: [link] },
      {
        ...SPEAKER,
        memberId: "mbr_2" as const,
        assistantId: "ast_2" as const,
        name: "Bo",
        systemPrompt: "Bills.",
      },
    ];
    const run = await played({
      says: ["I have a question about my bill."],
      speakers,
      answer: (_request, number) => (number === 1 ? [{ call: "to_billing" }] : [{ text: "This is Bo." }]),
      case: { expect: [{ handsOffTo: "Bo" }, { handsOffTo: "mbr_2" }, { says: "this is bo" }] },
    });
    expect(run.failures).toEqual([]);
    expect(run.messages.at(-1)?.assistantId).toBe("ast_2");
  });

  it("is agreed in the person's zone where the case gives one, and only noted elsewhere", async () => {
    const shown = async (timezone: string | null) => {
      const run = await played({
        says: ["Call me tomorrow at ten."],
        speaker: { callback: { maxDays: 7, maxPerContact: 2 } },
        answer: (_request, number) =>
          number === 1
            ? [{ call: "call_back_later", with: '{"at":"2026-09-02T10:00"}' }]
            : [{ text: "We call you tomorrow." }],
        case: { contact: { name: null, customData: null, timezone }, expect: [{ callback: true }] },
      });
      expect(run.status).toBe("passed");
      return String(run.messages.find(({ role }) => role === "tool")?.result);
    };
    expect(await shown("Europe/Istanbul")).toContain("Wednesday 2026-09-02 10:00");
    expect(await shown(null)).toContain("Noted:");
  });
});

describe("the analysis of a run", () => {
  const outcome: OutcomeSettings = {
    fields: [{ name: "confirmed", type: "boolean", description: "The customer confirmed" }],
    summary: true,
    success: null,
  };
  const speaker = { outcome };
  const json = { fields: { confirmed: { value: true, messages: [1] } }, summary: "They confirmed." };

  it("is asked of the run's model, and counted", async () => {
    const run = await played({
      says: ["Yes, I confirm."],
      speaker,
      answer: ({ wanted }) => [{ text: wanted === undefined ? "Fine." : JSON.stringify(json) }],
      case: { expect: [{ outcome: { confirmed: true } }] },
    });
    expect(run).toMatchObject({
      status: "passed",
      outcome: { fields: { confirmed: true } },
      inputTokens: 20,
    });
  });

  it("is not asked where nobody said a word", async () => {
    const run = await played({ says: [], speaker, case: { expect: [{ outcome: { confirmed: true } }] } });
    expect([run.outcome, run.status]).toEqual([null, "failed"]);
  });

  it("makes an error where it fails: nobody knows", async () => {
    const run = await played({
      speaker,
      answer: ({ wanted }) => (wanted === undefined ? [{ text: "Fine." }] : [{ fail: "unavailable" }]),
    });
    expect([run.status, run.problem]).toEqual(["error", "The analysis failed: as the test says"]);
  });
});
