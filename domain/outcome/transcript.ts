import type { EndReason } from "../call/end-reason.ts";
import type { CallEvent } from "../call/events.ts";
import { type Entry, evolvePast, initialPast, type SaidEntry, type ToolEntry } from "../conversation/past.ts";
import { estimatedTokens, latestThatFit } from "../conversation/prompt.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";

/** A model reads at most so much of a call, by estimate; the oldest turns are left out. */
export const TRANSCRIPT_TOKENS = 24_000;

export type TranscriptMessage = {
  /** As the call's record numbers it. */
  readonly index: number;
  readonly role: "assistant" | "customer" | "tool";
  /** As it was heard; of a tool what it was asked and what it answered. */
  readonly content: string;
  /** The customer's turn that it belongs to; 0: before the first. */
  readonly turn: number;
  /** It can be evidence: words of the customer, or a tool of the owner that was answered. */
  readonly proves: boolean;
};

/** A call as it was heard; of an erased one nothing. */
export type Transcript = {
  readonly messages: readonly TranscriptMessage[];
  /** The oldest turns were left out. */
  readonly truncated: boolean;
  readonly to: PhoneNumber | null;
  /** null: none, or erased. */
  readonly contactName: string | null;
  /** null: nobody answered. */
  readonly answeredAt: Instant | null;
  /** null: the call is not over. */
  readonly endReason: EndReason | null;
  /** Turns of the customer in the whole call. */
  readonly turns: number;
};

const LETTER = /[\p{L}\p{N}]/u;

/**
 * Whether there is a reason to analyse a call: it was answered, its last verdict is not `machine`, and the
 * customer said something in words (keys are none) that is not erased.
 */
export function isAnalysable(events: readonly CallEvent[]): boolean {
  const keys = indexesOfKeys(events);
  let answeredBy: string | null = null;
  let hasWords = false;
  for (const { type, data } of events) {
    if (type === "CallContentErased") return false;
    if (type === "CallConnected" || type === "CallMachineJudged") answeredBy = data.answeredBy;
    if (type === "CallMessageAdded" && data.message.role === "customer")
      hasWords ||= isWords(data.message.content ?? "") && !keys.has(data.message.index);
  }
  return answeredBy !== null && answeredBy !== "machine" && hasWords;
}

/** Folds all events of a call by the fold of the conversation itself. Linear in what was said. */
export function readTranscript(events: readonly CallEvent[]): Transcript {
  const past = initialPast(() => null);
  const facts: { -readonly [Name in "to" | "contactName" | "endReason"]: Transcript[Name] } = {
    to: null,
    contactName: null,
    endReason: null,
  };
  let isErased = false;
  for (const event of events) {
    evolvePast(past, event);
    if (event.type === "CallRequested") {
      facts.to = event.data.to;
      facts.contactName = event.data.contactName;
    }
    if (event.type === "CallCompleted" || event.type === "CallFailed") facts.endReason = event.data.endReason;
    isErased ||= event.type === "CallContentErased";
  }
  const keys = indexesOfKeys(events);
  const all = isErased ? [] : past.entries.flatMap((entry) => messagesOf(entry, keys));
  const messages = latestThatFit(all, (each) => estimatedTokens(asLine(each)), TRANSCRIPT_TOKENS);
  return {
    ...facts,
    contactName: isErased ? null : facts.contactName,
    answeredAt: past.connectedAt,
    turns: past.turns,
    messages,
    truncated: messages.length < all.length,
  };
}

/**
 * A message as one line of JSON, in which no words can begin another line or close the block around it: line
 * ends, `<` and `>` are escaped.
 */
export function asLine({ index, role, content }: TranscriptMessage): string {
  return JSON.stringify({ message: index, by: role, words: content }).replace(
    /[<>\u0085\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isWords(text: string): boolean {
  return LETTER.test(text);
}

function indexesOfKeys(events: readonly CallEvent[]): ReadonlySet<number | null> {
  const keys = new Set<number | null>();
  for (const { type, data } of events) {
    if (type === "CallDigitsReceived" && data.messageIndex !== undefined) keys.add(data.messageIndex);
  }
  return keys;
}

function messagesOf(entry: Entry, keys: ReadonlySet<number | null>): readonly TranscriptMessage[] {
  switch (entry.kind) {
    case "said":
      return said(entry, keys);
    case "tool":
      return [toolMessage(entry)];
    case "handover": {
      const { messageIndex: index, toolName } = entry.handover;
      const content = `${toolName}: the call was handed over`;
      return [{ index, role: "tool", content, turn: entry.turn, proves: false }];
    }
  }
}

/** Keys of an older release have no index, so nothing can name them. */
function said({ index, message, heard, turn }: SaidEntry, keys: ReadonlySet<number | null>) {
  const { role } = message;
  if (index === null || role === "system" || heard.trim() === "") return [];
  const proves = role === "customer" && isWords(heard) && !keys.has(index);
  return [{ index, role, content: heard, turn, proves }];
}

/**
 * What ends, transfers or hands over a call asks nobody: its answer is ours, and has no evidence. Only a tool
 * of the owner that reached its other side can prove anything.
 */
function toolMessage({ began, result, turn }: ToolEntry): TranscriptMessage {
  const { messageIndex: index, toolId, toolName } = began;
  const asked = `${toolName} ${JSON.stringify(began.arguments ?? {})}`;
  const answer = result === null ? "no result" : `${result.outcome}: ${result.shown ?? ""}`;
  const wasAsked = result !== null && result.evidence.millis !== null;
  const proves = toolId !== null && wasAsked && result.outcome === "answered";
  return { index, role: "tool", content: `${asked} → ${answer}`, turn, proves };
}
