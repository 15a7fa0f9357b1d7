import { DomainError } from "../shared/errors.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import type {
  CallHandedOver,
  CallMessage,
  CallSpeechCut,
  CallToolBegan,
  CallToolEnded,
} from "./conversation-events.ts";
import type { CallCallbackAgreed, CallEvent } from "./events.ts";
import { carrierMoment } from "./moment.ts";
import { requireLive, requireLiveThen, type SessionFact } from "./session-rules.ts";
import type { ExistingCall } from "./state.ts";

export const conversationRules = {
  AddUtterance: addUtterance,
  CutSpeech: cutSpeech,
  BeginTool: beginTool,
  EndTool: endTool,
  HandOver: handOver,
  RecordDigits: recordDigits,
  FailTurn: failTurn,
  AgreeCallback: agreeCallback,
};

/** What the call itself counts. */
type Counted = "callId" | "at" | "epoch" | "messageIndex" | "offsetMs";

type Utterance = SessionFact & { readonly message: Omit<CallMessage, "index" | "at" | "offsetMs"> };

/** One finished utterance. */
function addUtterance(command: Utterance, state: ExistingCall): readonly CallEvent[] {
  requireLiveThen(command, state);
  const { at, offsetMs } = placeOf(command, state);
  const message = { ...command.message, index: state.messages, at, offsetMs };
  const { callId } = state;
  const { epoch } = command;
  return [
    { type: "CallMessageAdded", data: { callId, at, message, carrierRef: null, sequence: null, epoch } },
  ];
}

type Cut = Pick<CallSpeechCut["data"], "heardMillis" | "precision"> & {
  readonly heard: string;
  /** Absent: the last message. */
  readonly messageIndex?: number;
};

/** A message is cut once; the first report of what was heard counts. */
function cutSpeech(command: SessionFact & Cut, state: ExistingCall): readonly CallEvent[] {
  requireLiveThen(command, state);
  const messageIndex = command.messageIndex ?? state.lastMessage;
  if (messageIndex === null || messageIndex >= state.messages)
    throw new DomainError("call.message-not-found", "There is no such message", { messageIndex });
  if (state.cut.has(messageIndex)) return [];
  const { heard, heardMillis, precision } = command;
  return [
    {
      type: "CallSpeechCut",
      data: { ...spoken(command, state), messageIndex, heard, heardMillis, precision },
    },
  ];
}

type NewTool = { readonly tool: Omit<CallToolBegan["data"], Counted> };

function beginTool(command: SessionFact & NewTool, state: ExistingCall): readonly CallEvent[] {
  requireLive(command, state);
  if (state.toolCalls.has(command.tool.toolCallId)) return [];
  return [
    {
      type: "CallToolBegan",
      data: {
        ...spoken(command, state),
        messageIndex: state.messages,
        offsetMs: placeOf(command, state).offsetMs,
        ...command.tool,
      },
    },
  ];
}

type ToolEnd = { readonly result: Omit<CallToolEnded["data"], "callId" | "at" | "epoch"> };

/** Once for each tool call. A new session ends the tools of the one before. */
function endTool(command: SessionFact & ToolEnd, state: ExistingCall): readonly CallEvent[] {
  requireLiveThen(command, state);
  if (state.toolCalls.get(command.result.toolCallId) !== "open") return [];
  return [{ type: "CallToolEnded", data: { ...spoken(command, state), ...command.result } }];
}

type Handover = { readonly handoff: Omit<CallHandedOver["data"], Counted> };

function handOver(command: SessionFact & Handover, state: ExistingCall): readonly CallEvent[] {
  requireLive(command, state);
  if (state.toolCalls.has(command.handoff.toolCallId)) return [];
  return [
    {
      type: "CallHandedOver",
      data: {
        ...spoken(command, state),
        messageIndex: state.messages,
        offsetMs: placeOf(command, state).offsetMs,
        ...command.handoff,
      },
    },
  ];
}

type Digits = {
  readonly turn: number;
  readonly digits: string;
  readonly assistantId: CallMessage["assistantId"];
};

/** Their message has the assistant who speaks, as any words of the customer. */
function recordDigits(command: SessionFact & Digits, state: ExistingCall): readonly CallEvent[] {
  requireLiveThen(command, state);
  const { epoch, turn, digits, assistantId } = command;
  const { at, offsetMs } = placeOf(command, state);
  const index = state.messages;
  const message = { ...messageOfDigits(digits), assistantId, turn, index, at, offsetMs };
  const { callId } = state;
  return [
    {
      type: "CallDigitsReceived",
      data: { ...spoken(command, state), turn, digits, count: digits.length, messageIndex: index },
    },
    { type: "CallMessageAdded", data: { callId, at, message, carrierRef: null, sequence: null, epoch } },
  ];
}

/** Pressed keys as words of the customer. */
export function messageOfDigits(digits: string) {
  return { role: "customer" as const, content: `[keys: ${digits}]` };
}

type FailedTurn = { readonly turn: number; readonly kind: string; readonly saidInstead: string | null };

function failTurn(command: SessionFact & FailedTurn, state: ExistingCall): readonly CallEvent[] {
  requireLive(command, state);
  const { turn, kind, saidInstead } = command;
  return [{ type: "CallTurnFailed", data: { ...spoken(command, state), turn, kind, saidInstead } }];
}

type Agreement = { readonly callback: Omit<CallCallbackAgreed["data"], Counted> };

/** Follows the tool call that says it, in the same append. Nothing is agreed after an opt-out. */
function agreeCallback(command: SessionFact & Agreement, state: ExistingCall): readonly CallEvent[] {
  requireLive(command, state);
  if (state.optedOut !== null) return [];
  const messageIndex = state.messages - 1;
  return [
    { type: "CallCallbackAgreed", data: { ...spoken(command, state), ...command.callback, messageIndex } },
  ];
}

function spoken(command: SessionFact, state: ExistingCall) {
  return { callId: state.callId, at: placeOf(command, state).at, epoch: command.epoch };
}

function placeOf(
  { at, now }: SessionFact,
  state: ExistingCall,
): { readonly at: Instant; readonly offsetMs: number } {
  const moment = carrierMoment(state, at, now);
  return {
    at: moment,
    offsetMs: Math.max(0, millisOf(moment) - millisOf(state.connectedAt ?? moment)),
  };
}
