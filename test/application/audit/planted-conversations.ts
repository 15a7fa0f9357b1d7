import type { AskedOutcomes } from "../../../application/audit/analysis-rules.ts";
import type { AuditRule } from "../../../application/audit/broken-rule.ts";
import type { CallMessage } from "../../../domain/call/conversation-events.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { at } from "../../domain/campaign/example-campaign.ts";
import { added, both, changed, missing, moved, type Plant, twice } from "./plant.ts";

const callId = "call_1" as const;
const spoken = (seconds: number, epoch = 1) => ({ callId, at: at(seconds), epoch });
const began = (seconds: number, epoch: number): CallEvent => ({
  type: "CallSessionBegan",
  data: { ...spoken(seconds, epoch), kind: "relay", gapMillis: epoch === 1 ? null : 500 },
});
const ended = (seconds: number, epoch: number): CallEvent => ({
  type: "CallSessionEnded",
  data: { ...spoken(seconds, epoch), cause: "session_lost" },
});
const said = (seconds: number, index: number, message: Partial<CallMessage>, epoch = 1): CallEvent => ({
  type: "CallMessageAdded",
  data: {
    ...spoken(seconds, epoch),
    message: {
      index,
      role: "assistant",
      assistantId: "ast_1",
      content: "Hello, this is Ada",
      at: at(seconds),
      offsetMs: 0,
      ...message,
    },
    carrierRef: null,
    sequence: null,
  },
});
const cut: CallEvent = {
  type: "CallSpeechCut",
  data: { ...spoken(32), messageIndex: 0, heard: "Hello, this", heardMillis: 700, precision: "exact" },
};
const toolEnded: CallEvent = {
  type: "CallToolEnded",
  data: {
    ...spoken(34),
    toolCallId: "call_1-1",
    outcome: "answered",
    shown: "42",
    isError: false,
    evidence: { status: 200, millis: 90, bytes: 2, sha256: null, host: "tools.example", rows: null },
  },
};

/**
 * Greeting, cut short; a tool; a handoff; another session, in which the other assistant speaks; its last
 * words after the end.
 */
const CONVERSATION: readonly CallEvent[] = [
  began(30, 1),
  said(31, 0, {}),
  cut,
  said(32, 1, { role: "customer", assistantId: null, content: "Yes?" }),
  {
    type: "CallToolBegan",
    data: {
      ...spoken(33),
      turn: 1,
      messageIndex: 2,
      offsetMs: 3_000,
      toolCallId: "call_1-1",
      toolId: "tool_1",
      toolName: "look_up",
      assistantId: "ast_1",
      arguments: {},
      repeatable: true,
    },
  },
  toolEnded,
  {
    type: "CallHandedOver",
    data: {
      ...spoken(35),
      turn: 1,
      messageIndex: 3,
      offsetMs: 5_000,
      from: "ast_1",
      to: "ast_2",
      toAssistantVersion: 1,
      toMemberId: "mbr_2",
      toolCallId: "call_1-2",
      toolName: "handoff_to_sales",
      variables: {},
      reason: null,
    },
  },
  ended(36, 1),
  began(36.5, 2),
  said(38, 4, { assistantId: "ast_2", content: "Sales here" }, 2),
];
const LAST_WORDS: readonly CallEvent[] = [
  said(40, 5, { role: "customer", assistantId: null, content: "Bye" }, 2),
  ended(40, 2),
];

const HASH = "a".repeat(64);
/** What the wish of the story asks for. */
export const ASKED: AskedOutcomes = new Map([
  [
    HASH,
    {
      summary: false,
      fields: [{ name: "agreed", type: "boolean", description: "Whether it is agreed" }],
      success: { field: "agreed", in: [true] },
    },
  ],
]);
const WISH: CallEvent = {
  type: "CallAnalysisRequested",
  data: {
    ...{ callId, at: at(45), analysisId: "wish-1", assistantId: "ast_1", assistantVersion: 1 },
    ...{ schemaHash: HASH, by: "engine" },
  },
};
const ANALYSED: CallEvent = {
  type: "CallAnalysed",
  data: {
    ...{ callId, at: at(46), analysisId: "wish-1", fields: { agreed: true }, evidence: { agreed: [1, 2] } },
    ...{ unsupported: [], summary: null, success: true, truncated: false },
    model: { name: "scripted", inputTokens: null, outputTokens: null },
  },
};

/** The first call of the story has a conversation in which every rule was kept, and was analysed. */
export const talks: Plant = (log) => {
  const end = log.findIndex(({ type }) => type === "CallCompleted");
  return [
    ...log.slice(0, end),
    ...CONVERSATION,
    ...log.slice(end, end + 1),
    ...LAST_WORDS,
    WISH,
    ANALYSED,
    ...log.slice(end + 1),
  ];
};

const inTalk = (plant: Plant): Plant => both(talks, plant);

export const PLANTED_CONVERSATIONS: readonly (readonly [problem: string, rule: AuditRule, plant: Plant])[] = [
  [
    "a session has another number",
    "sessions-in-order",
    inTalk(changed("CallSessionBegan", 1, () => ({ epoch: 3 }))),
  ],
  ["words come without a session", "sessions-in-order", inTalk(missing("CallSessionBegan", 0))],
  [
    "words come of an older session",
    "sessions-in-order",
    inTalk(changed("CallMessageAdded", 2, () => ({ epoch: 1 }))),
  ],
  [
    "words come after the end of their session",
    "sessions-in-order",
    inTalk(moved("CallSessionEnded", 0, "CallToolBegan", 0)),
  ],
  ["a tool begins twice", "tool-once", inTalk(twice("CallToolBegan", 0))],
  ["a tool ends twice", "tool-once", inTalk(twice("CallToolEnded", 0))],
  ["a tool ends that never began", "tool-once", inTalk(missing("CallToolBegan", 0))],
  ["a tool ends before it begins", "tool-once", inTalk(moved("CallToolEnded", 0, "CallToolBegan", 0))],
  [
    "words are heard that nobody said",
    "heard-was-said",
    inTalk(changed("CallSpeechCut", 0, () => ({ heard: "Hello, that" }))),
  ],
  [
    "a message is cut that nobody added",
    "heard-was-said",
    inTalk(changed("CallSpeechCut", 0, () => ({ messageIndex: 7 }))),
  ],
  ["a message is cut twice", "heard-was-said", inTalk(twice("CallSpeechCut", 0))],
  ["another assistant speaks on", "handoff-speaks-on", inTalk(missing("CallHandedOver", 0))],
  [
    "the assistant speaks on that handed over",
    "handoff-speaks-on",
    inTalk(changed("CallHandedOver", 0, () => ({ to: "ast_3" }))),
  ],
  [
    "one hands over that does not speak",
    "handoff-speaks-on",
    inTalk(changed("CallHandedOver", 0, () => ({ from: "ast_3" }))),
  ],
  ["a tool begins after the end", "call-only-forward", inTalk(moved("CallCompleted", 0, "CallToolBegan", 0))],
  [
    "last words come too late",
    "call-only-forward",
    inTalk(changed("CallMessageAdded", 3, () => ({ at: at(43.001) }))),
  ],
  [
    "the carrier's words come after the end",
    "call-only-forward",
    inTalk(changed("CallMessageAdded", 3, () => ({ epoch: undefined, carrierRef: "carrier-1" }))),
  ],
  [
    "a session begins after the end",
    "call-only-forward",
    inTalk(added(began(40, 3), "after", "CallCompleted")),
  ],
  [
    "an analysis is asked for before the end",
    "analysis-after-the-end",
    inTalk(moved("CallCompleted", 0, "CallAnalysed", 0)),
  ],
  [
    "a call is analysed by itself on which a machine spoke",
    "analysis-has-a-reason",
    inTalk(changed("CallConnected", 0, () => ({ answeredBy: "machine" }))),
  ],
  ["an analysis is answered twice", "analysis-answered-once", inTalk(twice("CallAnalysed", 0))],
  ["an analysis that nobody asked for", "analysis-answered-once", inTalk(missing("CallAnalysisRequested"))],
  [
    "a value is proven by a message that nobody said",
    "evidence-was-said",
    inTalk(changed("CallAnalysed", 0, () => ({ evidence: { agreed: [1, 9] } }))),
  ],
  [
    "a value has no evidence",
    "evidence-was-said",
    inTalk(changed("CallAnalysed", 0, () => ({ evidence: {} }))),
  ],
  [
    "a success does not follow",
    "success-follows",
    inTalk(changed("CallAnalysed", 0, () => ({ success: false }))),
  ],
];

/** Erased words prove nothing, and contradict nothing. */
export const erased: Plant = inTalk(
  both(
    changed("CallMessageAdded", 0, (data) => ({ message: { ...data.message, content: null } })),
    both(
      changed("CallSpeechCut", 0, () => ({ heard: "anything" })),
      changed("CallAnalysed", 0, () => ({ fields: null, success: null })),
    ),
  ),
);
