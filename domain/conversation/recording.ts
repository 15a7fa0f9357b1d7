import { messageOfDigits } from "../call/conversation-rules.ts";
import type { CallEvent } from "../call/events.ts";
import type { Instant } from "../shared/instant.ts";
import type { SessionCommand } from "./effects.ts";
import { LOST_APPEND_MILLIS, SLOW_APPEND_MILLIS } from "./limits.ts";
import { clearTimer, type Move } from "./move.ts";
import { evolvePast, type Past } from "./past.ts";

type Bare<Command> = Command extends unknown ? Omit<Command, "epoch" | "now" | "at"> : never;
/** A command without the fields that all commands of a session have; `at` if it happened before now. */
export type Word = Bare<Exclude<SessionCommand, { readonly type: "RecordMachineJudged" }>> & {
  readonly at?: Instant;
};

/**
 * Appends these commands together, and folds them at once: the next question to the model builds on them
 * while they are being stored. Returns the ticket that `stored` will name.
 */
export function record(move: Move, ...words: readonly Word[]): number {
  const { epoch, now } = move;
  return append(
    move,
    words.map((word): SessionCommand => ({ at: now, ...word, epoch, now })),
  );
}

export function append(move: Move, commands: readonly SessionCommand[]): number {
  const { live, past } = move;
  live.lastTicket += 1;
  const ticket = live.lastTicket;
  for (const command of commands) {
    for (const event of foreseen(command, past, move)) evolvePast(past, event);
  }
  live.waiting.set(ticket, { sinceMono: move.mono, events: commands.length });
  watchAppends(move);
  move.out.push({ type: "append", ticket, commands });
  return ticket;
}

export function isDurable({ live }: Move, ticket: number | null): boolean {
  if (ticket === null) return true;
  for (const waiting of live.waiting.keys()) if (waiting <= ticket) return false;
  return true;
}

export function waitingEvents({ live }: Move): number {
  let events = 0;
  for (const waiting of live.waiting.values()) events += waiting.events;
  return events;
}

/** Timers follow the oldest append that is not durable. */
export function watchAppends(move: Move): void {
  const oldest = move.live.waiting.values().next().value;
  if (oldest === undefined) {
    clearTimer(move, "slow_append", "lost_append");
    return;
  }
  const { timers } = move.live;
  const slow = oldest.sinceMono + SLOW_APPEND_MILLIS;
  if (slow > move.mono) timers.set("slow_append", slow);
  timers.set("lost_append", oldest.sinceMono + LOST_APPEND_MILLIS);
}

/**
 * The events that the call will make of this command. The index is known in advance, because no
 * other session appends.
 */
function foreseen(command: SessionCommand, past: Past, move: Move): readonly CallEvent[] {
  if (command.type !== "RecordDigits") return [foreseenEvent(command, past, move)];
  const { epoch, at, turn, digits, assistantId } = command;
  const spoken = { callId: move.script.callId, at, epoch };
  const index = past.nextIndex;
  const message = { ...messageOfDigits(digits), assistantId, turn, index, at, offsetMs: 0 };
  return [
    {
      type: "CallDigitsReceived",
      data: { ...spoken, turn, digits, count: digits.length, messageIndex: index },
    },
    { type: "CallMessageAdded", data: { ...spoken, message, carrierRef: null, sequence: null } },
  ];
}

function foreseenEvent(
  command: Exclude<SessionCommand, { readonly type: "RecordDigits" }>,
  past: Past,
  { script }: Move,
): CallEvent {
  const { callId } = script;
  if (command.type === "RecordMachineJudged") {
    const { answeredBy, by, greetingEnded, policyApplied, occurredAt } = command;
    const judged = { callId, at: occurredAt, answeredBy, by, greetingEnded, policyApplied, afterMillis: 0 };
    return { type: "CallMachineJudged", data: judged };
  }
  const { epoch, at } = command;
  const spoken = { callId, at, epoch };
  const placed = { ...spoken, messageIndex: past.nextIndex, offsetMs: 0 };
  switch (command.type) {
    case "StartConversation":
      return { type: "CallConversationStarted", data: { ...spoken, carrierRef: null, sequence: null } };
    case "AddUtterance": {
      const message = { ...command.message, index: past.nextIndex, at, offsetMs: 0 };
      return { type: "CallMessageAdded", data: { ...spoken, message, carrierRef: null, sequence: null } };
    }
    case "CutSpeech": {
      const { heard, heardMillis, precision } = command;
      const messageIndex = command.messageIndex ?? past.nextIndex - 1;
      return { type: "CallSpeechCut", data: { ...spoken, messageIndex, heard, heardMillis, precision } };
    }
    case "BeginTool":
      return { type: "CallToolBegan", data: { ...placed, ...command.tool } };
    case "EndTool":
      return { type: "CallToolEnded", data: { ...spoken, ...command.result } };
    case "HandOver":
      return { type: "CallHandedOver", data: { ...placed, ...command.handoff } };
    case "FailTurn": {
      const { turn, kind, saidInstead } = command;
      return { type: "CallTurnFailed", data: { ...spoken, turn, kind, saidInstead } };
    }
    case "AgreeCallback":
      return {
        type: "CallCallbackAgreed",
        data: { ...spoken, ...command.callback, messageIndex: past.nextIndex - 1 },
      };
    case "EndSession":
      return { type: "CallSessionEnded", data: { ...spoken, cause: command.cause } };
  }
}
