import type { ToolEvidence } from "../../../domain/call/conversation-events.ts";
import type { CallCommand } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { SessionFact } from "../../../domain/call/session-rules.ts";
import { at } from "./example-call.ts";

const callId = "call_1" as const;

export function spoken(seconds: number, epoch = 1): SessionFact {
  return { epoch, at: at(seconds), now: at(seconds) };
}

export function session(epoch: number, seconds: number): CallEvent {
  return {
    type: "CallSessionBegan",
    data: { callId, at: at(seconds), epoch, kind: "relay", gapMillis: epoch === 1 ? null : 0 },
  };
}

export function sessionEnded(epoch: number, seconds: number): CallEvent {
  return { type: "CallSessionEnded", data: { callId, at: at(seconds), epoch, cause: "session_lost" } };
}

export const answer = {
  role: "assistant" as const,
  assistantId: "ast_1" as const,
  content: "Hello, how are you?",
  kind: "answer" as const,
  turn: 1,
};

export function addUtterance(seconds: number, epoch = 1) {
  return { type: "AddUtterance", message: answer, ...spoken(seconds, epoch) } as const;
}

const TOOL = {
  toolId: "tool_1",
  toolName: "look_up",
  assistantId: "ast_1",
  arguments: { number: 6 },
  repeatable: true,
} as const;

export const EVIDENCE: ToolEvidence = {
  status: 200,
  millis: 120,
  bytes: 2,
  sha256: null,
  host: "tools.example",
  rows: null,
};

export function beginTool(seconds: number, toolCallId: string, epoch = 1) {
  return {
    type: "BeginTool",
    tool: { turn: 1, toolCallId, ...TOOL },
    ...spoken(seconds, epoch),
  } as const;
}

export function toolBegan(seconds: number, toolCallId: string, messageIndex: number): CallEvent {
  return {
    type: "CallToolBegan",
    data: {
      callId,
      at: at(seconds),
      epoch: 1,
      turn: 1,
      messageIndex,
      offsetMs: (seconds - 10) * 1_000,
      toolCallId,
      ...TOOL,
    },
  };
}

export function endTool(seconds: number, toolCallId: string, epoch = 1) {
  return {
    type: "EndTool",
    result: { toolCallId, outcome: "answered", shown: "42", isError: false, evidence: EVIDENCE },
    ...spoken(seconds, epoch),
  } as const satisfies CallCommand;
}

export function handOver(seconds: number, toolCallId: string, epoch = 1) {
  return {
    type: "HandOver",
    handoff: {
      turn: 1,
      from: "ast_1",
      to: "ast_2",
      toAssistantVersion: 3,
      toMemberId: "mbr_2",
      toolCallId,
      toolName: "handoff_to_sales",
      variables: {},
      reason: null,
    },
    ...spoken(seconds, epoch),
  } as const satisfies CallCommand;
}
