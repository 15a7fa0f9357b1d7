import { expect, it } from "vitest";
import { askedOutcomes, judgeAnalyses } from "../../../application/audit/analysis-rules.ts";
import type { AuditRule } from "../../../application/audit/broken-rule.ts";
import type { CallMessage, CallToolEnded } from "../../../domain/call/conversation-events.ts";
import type { CallAnalysed, CallEvent } from "../../../domain/call/events.ts";
import type { OutcomeSettings } from "../../../domain/outcome/settings.ts";
import { createMemoryAnalysisSettings } from "../../../simulation/memory/analyses/analyses.ts";
import { FAR_SIDE, REQUEST } from "../../domain/call/example-call.ts";
import { at } from "../../domain/campaign/example-campaign.ts";
import { recorded } from "./example-history.ts";

const callId = "call_1" as const;
const OUTCOME: OutcomeSettings = {
  summary: false,
  fields: [
    { name: "kept", type: "boolean", description: "Whether it is kept" },
    { name: "slot", type: "string", description: "Which one" },
  ],
  success: { field: "kept", in: [true] },
};
const HASH = "a".repeat(64);
const said = (index: number, role: CallMessage["role"], content: string | null): CallEvent => ({
  type: "CallMessageAdded",
  data: {
    callId,
    at: at(20 + index),
    message: { index, role, assistantId: "ast_1", content, at: at(20 + index), offsetMs: 0 },
    carrierRef: null,
    sequence: null,
  },
});
const tool = (messageIndex: number, toolName: string): CallEvent => ({
  type: "CallToolBegan",
  data: {
    ...{ callId, at: at(30), epoch: 1, turn: 1, messageIndex, offsetMs: 0, toolId: null, toolName },
    ...{ toolCallId: `${callId}-${messageIndex}`, assistantId: "ast_1", arguments: {}, repeatable: true },
  },
});
const toolEnded = (messageIndex: number, outcome: CallToolEnded["data"]["outcome"]): CallEvent => ({
  type: "CallToolEnded",
  data: {
    ...{ callId, at: at(31), epoch: 1, toolCallId: `${callId}-${messageIndex}`, outcome, shown: "{}" },
    isError: false,
    evidence: { status: 200, millis: 1, bytes: 2, sha256: null, host: null, rows: null },
  },
});
const connected = (answeredBy: "human" | "machine" = "human"): CallEvent => ({
  type: "CallConnected",
  data: { callId, at: at(10), answeredBy, carrierRef: "ref", sequence: 2 },
});
const ended: CallEvent = {
  type: "CallCompleted",
  data: {
    ...{ callId, at: at(60), endReason: "customer_ended", endedBy: "customer", durationSeconds: 50 },
    ...{ cost: 0, recordingStatus: "none", carrierRef: "ref", sequence: 9 },
  },
};
const wish = (analysisId = "wish-1", by = "key_1"): CallEvent => ({
  type: "CallAnalysisRequested",
  data: { callId, at: at(65), analysisId, assistantId: "ast_1", assistantVersion: 1, schemaHash: HASH, by },
});
const analysed = (change: Partial<CallAnalysed["data"]> = {}): CallEvent => ({
  type: "CallAnalysed",
  data: {
    ...{ callId, at: at(70), analysisId: "wish-1", fields: { kept: true, slot: null } },
    ...{ evidence: { kept: [1] }, unsupported: ["slot"], summary: null, success: true, truncated: false },
    model: { name: "gpt", inputTokens: 10, outputTokens: 2 },
    ...change,
  },
});
const failed = (analysisId = "wish-1"): CallEvent => ({
  type: "CallAnalysisFailed",
  data: { callId, at: at(70), analysisId, reason: "gave_up", tries: 6, model: null },
});
const erased: CallEvent = { type: "CallContentErased", data: { callId, at: at(90), erasureId: "ers_1" } };

const CALL: readonly CallEvent[] = [
  { type: "CallRequested", data: { ...REQUEST, callId } },
  { type: "CallDialingBegan", data: { callId, at: at(1), carrier: FAR_SIDE } },
  connected(),
  said(0, "assistant", "Is it kept?"),
  said(1, "customer", "Yes, it is"),
  said(2, "customer", "[keys: 1]"),
  tool(3, "find_slot"),
  toolEnded(3, "answered"),
  tool(4, "find_slot"),
  toolEnded(4, "timed_out"),
  tool(5, "end_call"),
  toolEnded(5, "answered"),
];
const OVER = [...CALL, ended];
const proven = (...kept: number[]) => analysed({ evidence: { kept } });

function found(events: readonly CallEvent[], outcomes = new Map([[HASH, OUTCOME]])): readonly AuditRule[] {
  const rules: AuditRule[] = [];
  judgeAnalyses(recorded(events), outcomes, (rule) => rules.push(rule));
  return rules;
}

it.each<[string, readonly CallEvent[], readonly AuditRule[]]>([
  ["nothing in a wish and its answer", [...OVER, wish(), analysed()], []],
  ["nothing in a second wish after a failure", [...OVER, wish(), failed(), wish("wish-2")], []],
  ["nothing in what is still pending", [...OVER, wish("wish-1", "engine")], []],
  ["an outcome before the end", [...CALL, wish(), analysed(), ended], ["analysis-after-the-end"]],
  ["a wish after the erasure", [...OVER, erased, wish()], ["analysis-after-the-end"]],
  ["a wish while another is pending", [...OVER, wish(), wish("wish-2")], ["analysis-after-the-end"]],
  ["the same wish twice", [...OVER, wish(), failed(), wish()], ["analysis-after-the-end"]],
  [
    "an eleventh wish",
    [...OVER, ...Array.from({ length: 11 }, (_, n) => [wish(`w${n}`), failed(`w${n}`)]).flat()],
    ["analysis-after-the-end"],
  ],
  ["an answer that nobody asked for", [...OVER, analysed()], ["analysis-answered-once"]],
  ["a second answer", [...OVER, wish(), failed(), analysed()], ["analysis-answered-once"]],
  ["an answer after the erasure", [...OVER, wish(), erased, analysed()], ["analysis-answered-once"]],
])("finds %s", (_what, events, rules) => {
  expect(found(events)).toEqual(rules);
});

it.each<[string, CallEvent, number]>([
  ["a message that does not exist", proven(1, 99), 1],
  ["words of the assistant", proven(0), 1],
  ["keys", proven(2), 1],
  ["a tool that did not answer", proven(4), 1],
  ["the end of the call", proven(5), 1],
  ["messages out of order", proven(3, 1), 1],
  ["a message twice", proven(1, 1), 1],
  ["a list of nothing", proven(), 1],
  ["nothing at all", analysed({ evidence: {} }), 1],
  ["evidence without a value", analysed({ evidence: { kept: [1], slot: [1] }, unsupported: [] }), 1],
  ["evidence of what counts as unsupported", analysed({ unsupported: ["kept", "slot"] }), 1],
  ["a tool that answered, and words", proven(1, 3), 0],
])("judges a value by its evidence: %s", (_what, answer, times) => {
  const rules = found([...OVER, wish(), answer]);
  expect(rules).toEqual(Array.from({ length: times }, () => "evidence-was-said"));
});

it.each<[string, CallEvent, readonly AuditRule[]]>([
  ["no success of a value that is one", analysed({ success: false }), ["success-follows"]],
  ["success of another value", analysed({ fields: { kept: false, slot: null } }), ["success-follows"]],
  ["no success known of a value", analysed({ success: null }), ["success-follows"]],
  [
    "success without a value",
    analysed({ fields: { kept: null, slot: null }, evidence: {} }),
    ["success-follows"],
  ],
  [
    "a name of an object's own as a value",
    analysed({ fields: { kept: true, slot: null, other: null } }),
    ["success-follows"],
  ],
  ["nothing of an erased one", analysed({ fields: null, success: null }), []],
])("judges the success: %s", (_what, answer, rules) => {
  expect(found([...OVER, wish(), answer])).toEqual(rules);
});

it("judges no success of what it does not know", () => {
  expect(found([...OVER, wish(), analysed({ success: false })], new Map())).toEqual([]);
});

it.each([
  ["a machine answered", [...CALL.slice(0, 2), connected("machine"), ...CALL.slice(3), ended]],
  ["only keys were pressed", [...CALL.slice(0, 4), said(1, "customer", "[keys: 1]"), ended]],
  ["nobody answered", [...CALL.slice(0, 2), ended]],
])("finds an analysis by itself when %s", (_what, events) => {
  expect(found([...events, wish("wish-1", "engine")])).toEqual(["analysis-has-a-reason"]);
  expect(found([...events, wish("wish-1", "key_1")])).toEqual([]);
});

it("reads what was asked, as far as it is stored", async () => {
  const settings = createMemoryAnalysisSettings();
  const stored = {
    version: 1,
    outcome: OUTCOME,
    model: null,
    modelConnectionId: null,
    language: null,
  } as const;
  const hash = await settings.store(stored);
  const asked = { ...wish(), data: { ...(wish().data as object), schemaHash: hash } } as CallEvent;
  const outcomes = await askedOutcomes(settings, recorded([asked, wish("wish-2")]));
  expect([...outcomes]).toEqual([[hash, OUTCOME]]);
});
