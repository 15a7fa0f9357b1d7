import type {
  CallHandedOver,
  CallMessage,
  CallSpeechCut,
  CallToolBegan,
  CallToolEnded,
  ToolCallId,
} from "../call/conversation-events.ts";
import { messageOfDigits } from "../call/conversation-rules.ts";
import type { AnsweredBy, CallEvent } from "../call/events.ts";
import type { Of } from "../shared/decider.ts";
import type { AssistantId, MemberId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import {
  heardOptOut,
  newOptOutBook,
  type OptOutBook,
  type OptOutSettingsOf,
  type SaidOptOut,
} from "./opt-out.ts";

export type SaidEntry = {
  readonly kind: "said";
  /** null: digits of an older release, which have no index. */
  readonly index: number | null;
  readonly message: CallMessage;
  readonly turn: number;
  /** The part that was heard. */
  heard: string;
  cut: boolean;
};
export type ToolEntry = {
  readonly kind: "tool";
  readonly began: CallToolBegan["data"];
  readonly turn: number;
  result: Pick<CallToolEnded["data"], "outcome" | "shown" | "isError" | "evidence"> | null;
};
export type HandoverEntry = {
  readonly kind: "handover";
  readonly handover: CallHandedOver["data"];
  readonly turn: number;
};
export type Entry = SaidEntry | ToolEntry | HandoverEntry;

/** A conversation as folded from the log: what was heard, and the counts that the rules read. */
export type Past = {
  readonly entries: Entry[];
  readonly tools: Map<ToolCallId, ToolEntry>;
  /** Index of the next message, tool or handoff. */
  nextIndex: number;
  connectedAt: Instant | null;
  answeredBy: AnsweredBy | null;
  started: boolean;
  endWished: boolean;
  ended: boolean;
  epoch: number;
  sessionOpen: boolean;
  /** Until when the session before can have lived, when it has no last event. */
  lostAt: Instant | null;
  sessionBeganAt: Instant | null;
  /** Last moment before the latest session began. */
  beforeSession: Instant | null;
  lastAt: Instant | null;
  /** Turns of the customer. */
  turns: number;
  /** The current speaker; null: the first one. */
  speaking: { readonly assistantId: AssistantId; readonly memberId: MemberId } | null;
  variables: JsonObject;
  /** Number of tool calls and handoffs. */
  toolCalls: number;
  handoffs: number;
  /** Since the customer's last words. */
  readonly handoffsSince: { readonly from: AssistantId; readonly to: AssistantId }[];
  promptsSince: number;
  failedInRow: number;
  tokens: number;
  readonly optOutBook: OptOutBook;
  readonly optOutSettingsOf: OptOutSettingsOf;
  /** The customer asked never to be called again; null: not so. */
  optOut: SaidOptOut | null;
  /** The local time at which they want to be called again, by the latest agreement; null: none. */
  callbackAsked: string | null;
  /** How often they agreed one. */
  agreements: number;
};

export function initialPast(optOutSettingsOf: OptOutSettingsOf): Past {
  return {
    entries: [],
    tools: new Map(),
    nextIndex: 0,
    connectedAt: null,
    answeredBy: null,
    started: false,
    endWished: false,
    ended: false,
    epoch: 0,
    sessionOpen: false,
    lostAt: null,
    sessionBeganAt: null,
    beforeSession: null,
    lastAt: null,
    turns: 0,
    speaking: null,
    variables: {},
    toolCalls: 0,
    handoffs: 0,
    handoffsSince: [],
    promptsSince: 0,
    failedInRow: 0,
    tokens: 0,
    optOutBook: newOptOutBook(),
    optOutSettingsOf,
    optOut: null,
    callbackAsked: null,
    agreements: 0,
  };
}

/** Accepts every event of a call in every state. Mutates and returns the given state. */
export function evolvePast(past: Past, event: CallEvent): Past {
  take(past, event);
  past.optOut ??= heardOptOut(past.optOutBook, event, past.optOutSettingsOf);
  if (past.lastAt === null || event.data.at > past.lastAt) past.lastAt = event.data.at;
  return past;
}

function take(past: Past, event: CallEvent): void {
  switch (event.type) {
    case "CallConnected":
      past.connectedAt = event.data.at;
      past.answeredBy = event.data.answeredBy;
      return;
    case "CallMachineJudged":
      past.answeredBy = event.data.answeredBy;
      return;
    case "CallConversationStarted":
      past.started = true;
      return;
    case "CallEndRequested":
      past.endWished = true;
      return;
    case "CallCompleted":
    case "CallFailed":
      past.ended = true;
      return;
    case "CallSessionBegan":
      past.lostAt = lossBefore(past, event.data.at);
      past.beforeSession = past.lastAt;
      past.sessionBeganAt = event.data.at;
      past.epoch = event.data.epoch;
      past.sessionOpen = true;
      return;
    case "CallSessionEnded":
      if (event.data.epoch === past.epoch) past.sessionOpen = false;
      return;
    case "CallMessageAdded":
      addMessage(past, event.data.message);
      return;
    case "CallSpeechCut":
      cut(past, event.data);
      return;
    case "CallToolBegan":
      beginTool(past, event.data);
      return;
    case "CallToolEnded":
      endTool(past, event.data);
      return;
    case "CallHandedOver":
      handOver(past, event.data);
      return;
    case "CallDigitsReceived":
      addDigits(past, event.data);
      return;
    case "CallTurnFailed":
      past.failedInRow += 1;
      return;
    case "CallCallbackAgreed":
      past.callbackAsked = event.data.asked;
      if (event.data.asked !== null) past.agreements += 1;
      return;
    default:
      return;
  }
}

/**
 * Until when the session can have lived whose speech is not cut yet; null: none was lost. A session
 * that was lost before it recorded anything did not cut the speech of the one before it, so the last
 * moment of that one counts.
 */
function lossBefore(past: Past, began: Instant): Instant | null {
  if (!past.sessionOpen) return null;
  const storedNothing = past.lostAt !== null && past.lastAt === past.sessionBeganAt;
  return storedNothing ? past.beforeSession : began;
}

function addMessage(past: Past, message: CallMessage): void {
  past.nextIndex = message.index + 1;
  const turn = message.turn ?? past.turns;
  const heard = message.content ?? "";
  past.entries.push({ kind: "said", index: message.index, message, turn, heard, cut: false });
  past.tokens += (message.model?.inputTokens ?? 0) + (message.model?.outputTokens ?? 0);
  if (message.role === "customer") customerSpoke(past, turn);
  if (message.kind === "prompt") past.promptsSince += 1;
  if (message.kind === "answer") past.failedInRow = 0;
}

function customerSpoke(past: Past, turn: number): void {
  past.turns = Math.max(past.turns, turn);
  past.promptsSince = 0;
  past.handoffsSince.length = 0;
}

function cut(past: Past, { messageIndex, heard }: CallSpeechCut["data"]): void {
  const entry = past.entries.findLast((each) => each.kind === "said" && each.index === messageIndex);
  if (entry?.kind !== "said" || entry.cut) return;
  entry.cut = true;
  entry.heard = heard ?? "";
}

function beginTool(past: Past, began: CallToolBegan["data"]): void {
  const entry: ToolEntry = { kind: "tool", began, turn: began.turn, result: null };
  past.entries.push(entry);
  past.tools.set(began.toolCallId, entry);
  past.nextIndex = began.messageIndex + 1;
  past.toolCalls += 1;
}

/** The first result counts. */
function endTool(past: Past, { toolCallId, outcome, shown, isError, evidence }: CallToolEnded["data"]): void {
  const entry = past.tools.get(toolCallId);
  if (entry !== undefined) entry.result ??= { outcome, shown, isError, evidence };
}

function handOver(past: Past, handover: CallHandedOver["data"]): void {
  past.entries.push({ kind: "handover", handover, turn: handover.turn });
  past.nextIndex = handover.messageIndex + 1;
  past.toolCalls += 1;
  past.handoffs += 1;
  past.handoffsSince.push({ from: handover.from, to: handover.to });
  past.speaking = { assistantId: handover.to, memberId: handover.toMemberId };
  past.variables = { ...past.variables, ...(handover.variables ?? {}) };
}

function addDigits(
  past: Past,
  { turn, digits, at, messageIndex }: Of<CallEvent, "CallDigitsReceived">["data"],
): void {
  customerSpoke(past, turn);
  if (digits === null || messageIndex !== undefined) return;
  const said = messageOfDigits(digits);
  const message: CallMessage = { ...said, index: -1, assistantId: null, at, offsetMs: 0 };
  past.entries.push({ kind: "said", index: null, message, turn, heard: said.content, cut: false });
}
