import type { Of } from "../shared/decider.ts";
import { DomainError } from "../shared/errors.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import type { CallCommand, SessionFact } from "./commands.ts";
import type { CallEvent } from "./events.ts";
import { carrierMoment } from "./moment.ts";
import { requireLive, requireLiveThen } from "./session-rules.ts";
import type { ExistingCall } from "./state.ts";

export function addUtterance(
  command: Of<CallCommand, "AddUtterance">,
  state: ExistingCall,
): readonly CallEvent[] {
  requireLiveThen(command, state);
  const { at, offsetMs } = placeOf(command, state);
  const message = { ...command.message, index: state.messages, at, offsetMs };
  const { callId } = state;
  const { epoch } = command;
  return [
    { type: "CallMessageAdded", data: { callId, at, message, carrierRef: null, sequence: null, epoch } },
  ];
}

/** A message is cut once; the first report of what was heard counts. */
export function cutSpeech(command: Of<CallCommand, "CutSpeech">, state: ExistingCall): readonly CallEvent[] {
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

export function beginTool(command: Of<CallCommand, "BeginTool">, state: ExistingCall): readonly CallEvent[] {
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

/** A new session ends the tools of the one before. */
export function endTool(command: Of<CallCommand, "EndTool">, state: ExistingCall): readonly CallEvent[] {
  requireLiveThen(command, state);
  if (state.toolCalls.get(command.result.toolCallId) !== "open") return [];
  return [{ type: "CallToolEnded", data: { ...spoken(command, state), ...command.result } }];
}

export function handOver(command: Of<CallCommand, "HandOver">, state: ExistingCall): readonly CallEvent[] {
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

export function recordDigits(
  command: Of<CallCommand, "RecordDigits">,
  state: ExistingCall,
): readonly CallEvent[] {
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

export function failTurn(command: Of<CallCommand, "FailTurn">, state: ExistingCall): readonly CallEvent[] {
  requireLive(command, state);
  const { turn, kind, saidInstead } = command;
  return [{ type: "CallTurnFailed", data: { ...spoken(command, state), turn, kind, saidInstead } }];
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
