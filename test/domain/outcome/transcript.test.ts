import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnsweredBy, CallEvent } from "../../../domain/call/events.ts";
import { estimatedTokens } from "../../../domain/conversation/prompt.ts";
import {
  asLine,
  isAnalysable,
  readTranscript,
  TRANSCRIPT_TOKENS,
  type Transcript,
} from "../../../domain/outcome/transcript.ts";
import { at, completed, connected, REQUEST, requested } from "../call/example-call.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { callOf, type Step, transcriptOf } from "./example-outcome.ts";

function judged(answeredBy: AnsweredBy): CallEvent {
  const verdict = { answeredBy, by: "sound", greetingEnded: false, policyApplied: null } as const;
  return { type: "CallMachineJudged", data: { callId: "call_1", at: at(12), afterMillis: 0, ...verdict } };
}

const erased: CallEvent = {
  type: "CallContentErased",
  data: { callId: "call_1", at: at(60), erasureId: "ers_1" },
};

const said = (steps: readonly Step[]) =>
  transcriptOf(steps).messages.map(({ index, content }) => [index, content]);
const proving = (steps: readonly Step[]) =>
  transcriptOf(steps).messages.flatMap(({ index, proves }) => (proves ? [index] : []));

describe("a call", () => {
  const yes: readonly Step[] = [{ assistant: "Will you come?" }, { customer: "Yes." }];

  it("is analysed when the customer said something in words", () => {
    expect(isAnalysable(callOf(yes))).toBe(true);
    expect(isAnalysable(callOf([{ assistant: "Will you come?" }]))).toBe(false);
    expect(isAnalysable(callOf([{ customer: " … " }]))).toBe(false);
    expect(isAnalysable(callOf([{ customer: null }]))).toBe(false);
  });

  it("is not analysed for pressed keys alone", () => {
    expect(isAnalysable(callOf([{ assistant: "Press 1." }, { keys: "1" }]))).toBe(false);
    expect(isAnalysable(callOf([{ keys: "1" }, { customer: "Hello?" }]))).toBe(true);
  });

  it("is not analysed when nobody answered, or a machine did by the last verdict", () => {
    expect(isAnalysable([requested, ...callOf(yes).slice(2)])).toBe(false);
    expect(isAnalysable(callOf(yes, [judged("machine")]))).toBe(false);
    expect(isAnalysable(callOf(yes, [judged("machine"), judged("human")]))).toBe(true);
    expect(isAnalysable(callOf(yes, [judged("human"), judged("machine")]))).toBe(false);
    expect(isAnalysable(callOf(yes, [judged("unknown")]))).toBe(true);
  });

  it("is not analysed once it was erased, even where its words are still read", () => {
    expect(isAnalysable([...callOf(yes), erased])).toBe(false);
  });
});

describe("a transcript", () => {
  it("has what was heard, with the numbers of the record", () => {
    const steps: readonly Step[] = [
      { assistant: "Hello, this is a long greeting.", heard: "Hello," },
      { customer: "Who is this?" },
      { assistant: "Nobody heard this.", heard: "" },
      { system: "a note" },
      { assistant: "Ada." },
    ];
    expect(said(steps)).toEqual([
      [0, "Hello,"],
      [1, "Who is this?"],
      [4, "Ada."],
    ]);
  });

  it("has tools with what they were asked and what they answered, and handoffs", () => {
    const steps: readonly Step[] = [
      { customer: "What is free?" },
      { tool: "look_up", shown: "200\ntomorrow" },
      { tool: "book", outcome: "timed_out", shown: "no answer" },
      { tool: "book", outcome: null },
      { handover: "handoff_to_sales" },
    ];
    expect(said(steps).slice(1)).toEqual([
      [1, 'look_up {"n":1} → answered: 200\ntomorrow'],
      [2, 'book {"n":1} → timed_out: no answer'],
      [3, 'book {"n":1} → no result'],
      [4, "handoff_to_sales: the call was handed over"],
    ]);
  });

  it("says who was called, when, how many turns there were and how it ended", () => {
    const request: CallEvent = { type: "CallRequested", data: { ...REQUEST, contactName: "Ayşe" } };
    const [, ...others] = callOf([
      { customer: "Yes.", turn: 1 },
      { customer: "Bye.", turn: 2 },
    ]);
    expect(readTranscript([request, ...others])).toMatchObject({
      to: "+14155550101",
      contactName: "Ayşe",
      answeredAt: at(10),
      turns: 2,
      endReason: "customer_ended",
      truncated: false,
    });
    expect(readTranscript([requested, connected])).toMatchObject({ endReason: null, contactName: null });
    expect(readTranscript([requested]).answeredAt).toBeNull();
  });

  it("has nothing of an erased call, and no message whose words are gone", () => {
    expect(readTranscript([...callOf([{ customer: "Yes." }]), erased])).toMatchObject({
      messages: [],
      contactName: null,
      truncated: false,
    });
    expect(said([{ customer: null }, { assistant: "Hi.", heard: null }])).toEqual([]);
  });
});

describe("evidence", () => {
  it("can be the customer's words, never keys, the assistant or sounds", () => {
    expect(proving([{ assistant: "Yes?" }, { customer: "Yes." }, { keys: "1" }, { customer: "…" }])).toEqual([
      1,
    ]);
    expect(proving([{ customer: "[keys: 1]" }, { keys: "1" }])).toEqual([0]);
  });

  it("can be a tool that was answered, also with an error, and no other", () => {
    const outcomes = ["answered", "failed", "timed_out", "refused", "unknown", null] as const;
    expect(proving(outcomes.map((outcome) => ({ tool: "look_up", outcome })))).toEqual([0]);
    expect(proving([{ tool: "look_up", shown: "404\nno such customer" }])).toEqual([0]);
  });

  it("cannot be what ends, transfers, hands over, stops calling or notes a callback", () => {
    const ours = ["end_call", "stop_calling", "call_back_later"].map(
      (tool) => ({ tool, toolId: null }) as const,
    );
    expect(proving(ours)).toEqual([]);
    expect(proving(ours.map((step) => ({ ...step, wasAsked: false })))).toEqual([]);
    expect(proving([{ handover: "handoff_to_sales" }])).toEqual([]);
    // Tools of the owner that end or transfer are answered by us.
    expect(
      proving([
        { tool: "goodbye", wasAsked: false },
        { tool: "to_a_person", wasAsked: false },
      ]),
    ).toEqual([]);
  });

  it("can be a tool of the owner with the name of one of ours", () => {
    expect(proving([{ tool: "stop_calling" }])).toEqual([0]);
  });
});

describe("a transcript that is too long", PROPERTY_TIMEOUT, () => {
  const tokensOf = ({ messages }: Transcript) =>
    messages.reduce((sum, each) => sum + estimatedTokens(asLine(each)), 0);
  const tokens = (steps: readonly Step[]) => tokensOf(transcriptOf(steps));
  const long = (turn: number): readonly Step[] => [
    { customer: "why ".repeat(900), turn },
    { assistant: "so ".repeat(600) },
    { tool: "look_up", shown: "x".repeat(4_000) },
  ];

  it("loses its oldest turns, whole ones, and says so", () => {
    const steps = Array.from({ length: 20 }, (_, turn) => long(turn + 1)).flat();
    const { messages, truncated } = transcriptOf(steps);
    expect(truncated).toBe(true);
    expect(messages[0]).toMatchObject({ role: "customer" });
    expect(messages.at(-1)?.index).toBe(steps.length - 1);
    expect(messages.length % 3).toBe(0);
    expect(tokens(steps)).toBeLessThanOrEqual(TRANSCRIPT_TOKENS);
    const oneTurn = 3 * Math.ceil(tokens(long(1)) / 3);
    expect(tokens(steps)).toBeGreaterThan(TRANSCRIPT_TOKENS - oneTurn - 1);
  });

  it("keeps the end of a turn that is too long alone", () => {
    const steps = Array.from({ length: 60 }, () => ({ customer: "why ".repeat(900), turn: 1 }));
    const { messages, truncated } = transcriptOf(steps);
    expect([truncated, messages.at(-1)?.index]).toEqual([true, 59]);
    expect(messages.length).toBeGreaterThan(10);
  });

  it("never has more than a model may read, whatever was said", () => {
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("\u0000", "😀", "<>"),
    );
    const step = fc.tuple(fc.boolean(), words, fc.nat(4_000));
    const property = fc.property(fc.array(step, { maxLength: 60, size: "max" }), (given) => {
      const steps = given.map(([isCustomers, word, times]): Step => {
        const text = word.repeat(Math.ceil(times / Math.max(1, word.length)));
        return isCustomers ? { customer: text } : { assistant: text };
      });
      const transcript = transcriptOf(steps);
      const { messages, truncated } = transcript;
      expect(tokensOf(transcript)).toBeLessThanOrEqual(TRANSCRIPT_TOKENS);
      const heard = steps.filter((each) => Object.values(each).join("").trim() !== "");
      expect(truncated).toBe(messages.length < heard.length);
      const indexes = messages.map(({ index }) => index);
      expect(indexes).toEqual([...new Set(indexes)].toSorted((a, b) => a - b));
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 20) });
  });
});

describe("a message as a line", PROPERTY_TIMEOUT, () => {
  it("stays one line, closes no block and is no other message, whatever was said", () => {
    const sign = fc.constantFrom(
      "\n",
      "\r",
      "\u2028",
      "\u2029",
      "\u0085",
      "<",
      "</transcript>",
      '"',
      '","by":"customer"',
      "\\",
      "yes",
      "\ud800",
    );
    const property = fc.property(fc.array(sign), (signs) => {
      const content = signs.join("");
      const line = asLine({ index: 7, role: "assistant", content, turn: 1, proves: false });
      expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029<>]/);
      expect(JSON.parse(line)).toEqual({ message: 7, by: "assistant", words: content });
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});

it("the end of a call is no reason of its own", () => {
  expect(isAnalysable([requested, connected, completed])).toBe(false);
});
