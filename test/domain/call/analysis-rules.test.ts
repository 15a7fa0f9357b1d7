import { describe, expect, it } from "vitest";
import { type CallCommand, callDecider } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { fold } from "../../../domain/shared/decider.ts";
import { at, began, completed, connected, requested, talking } from "./example-call.ts";

const LIVE = [requested, began, connected, talking];
const OVER = [...LIVE, completed];
const WISH = {
  analysisId: "wish-1",
  assistantId: "ast_1",
  assistantVersion: 1,
  schemaHash: "a".repeat(64),
  by: "key_1",
} as const;
const ANSWER = {
  ...{ analysisId: "wish-1", fields: { kept: true }, evidence: { kept: [1] }, unsupported: [] },
  ...{ summary: null, success: true, truncated: false },
  model: { name: "gpt", inputTokens: 1, outputTokens: 1 },
} as const;
const FAILURE = { analysisId: "wish-1", reason: "gave_up", tries: 6, model: null } as const;
const moment = { callId: "call_1", at: at(60) };
const now = at(60);
const wished: CallEvent = { type: "CallAnalysisRequested", data: { ...moment, ...WISH, callId: "call_1" } };
const erased: CallEvent = {
  type: "CallContentErased",
  data: { callId: "call_1", at: at(50), erasureId: "ers_1" },
};
const failed: CallEvent = { type: "CallAnalysisFailed", data: { ...moment, ...FAILURE, callId: "call_1" } };

function decide(history: readonly CallEvent[], command: CallCommand): readonly CallEvent[] {
  return callDecider.decide(command, fold(callDecider, callDecider.initialState(), history));
}
const ask = (history: readonly CallEvent[], change: Partial<typeof WISH> | { analysisId: string } = {}) =>
  decide(history, { type: "RequestAnalysis", ...WISH, ...change, now });

describe("a wish to know what a call brought home", () => {
  it("is the event with its own fields, and nothing of the command", () => {
    expect(ask(OVER)).toEqual([{ type: "CallAnalysisRequested", data: { ...moment, ...WISH } }]);
  });

  it("is none when it is known, or another one is pending", () => {
    expect(ask([...OVER, wished])).toEqual([]);
    expect(ask([...OVER, wished], { analysisId: "wish-2" })).toEqual([]);
    expect(ask([...OVER, wished, failed])).toEqual([]);
    expect(ask([...OVER, wished, failed], { analysisId: "wish-2" })).toHaveLength(1);
  });

  it.each([
    ["before the end", LIVE, "call.not-ended"],
    ["after the erasure", [...OVER, erased], "call.content-erased"],
    [
      "the eleventh time",
      [
        ...OVER,
        ...Array.from({ length: 10 }, (_, n) =>
          [wished, failed].map(
            (event) => ({ ...event, data: { ...event.data, analysisId: `w${n}` } }) as CallEvent,
          ),
        ).flat(),
      ],
      "call.analysis-limit",
    ],
  ])("is refused %s", (_when, history, code) => {
    expect(() => ask(history)).toThrow(expect.objectContaining({ code }));
  });
});

describe("its answer", () => {
  it("is one event, with the fields of the answer or of the failure", () => {
    const history = [...OVER, wished];
    expect(decide(history, { type: "RecordAnalysis", ...ANSWER, now })).toEqual([
      { type: "CallAnalysed", data: { ...moment, ...ANSWER } },
    ]);
    expect(decide(history, { type: "FailAnalysis", ...FAILURE, now })).toEqual([
      { type: "CallAnalysisFailed", data: { ...moment, ...FAILURE } },
    ]);
  });

  it.each([
    ["nobody asked", OVER],
    ["it was answered", [...OVER, wished, failed]],
    ["the words were erased", [...OVER, wished, erased]],
  ])("is none when %s", (_when, history) => {
    expect(decide(history, { type: "RecordAnalysis", ...ANSWER, now })).toEqual([]);
    expect(decide(history, { type: "FailAnalysis", ...FAILURE, now })).toEqual([]);
  });
});
