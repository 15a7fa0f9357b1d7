import type { ConversationRecord } from "../../contract/conversation.ts";
import type { CallMessage, SessionEndCause } from "../../domain/call/conversation-events.ts";
import type { CallEvent } from "../../domain/call/events.ts";

/** The data for the record of a conversation. */
export type ConversationTally = {
  readonly turns: number;
  readonly interruptions: number;
  readonly handoffs: number;
  readonly toolCalls: number;
  readonly firstTokenMillis: readonly number[];
  readonly firstAudioMillis: readonly number[];
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly sessionsLost: number;
  /** Epoch of the session that has not ended. */
  readonly openEpoch: number | null;
};

export const NOTHING_SAID: ConversationTally = {
  turns: 0,
  interruptions: 0,
  handoffs: 0,
  toolCalls: 0,
  firstTokenMillis: [],
  firstAudioMillis: [],
  model: null,
  inputTokens: null,
  outputTokens: null,
  sessionsLost: 0,
  openEpoch: null,
};

const LOST: ReadonlySet<SessionEndCause> = new Set(["line_lost", "session_lost", "process_lost"]);
/** A row stays small however long a call is: only the first turns are kept. */
const MOST_MEASURED = 500;

/** The same object if the event changes nothing in it. */
export function tallyAfter(tally: ConversationTally, event: CallEvent): ConversationTally {
  switch (event.type) {
    case "CallMessageAdded":
      return said(tally, event.data.message);
    case "CallSpeechCut":
      return { ...tally, interruptions: tally.interruptions + 1 };
    case "CallToolBegan":
      return { ...tally, toolCalls: tally.toolCalls + 1 };
    case "CallHandedOver":
      return { ...tally, handoffs: tally.handoffs + 1 };
    case "CallSessionBegan": {
      // The session before has no end event: its process died.
      const lost = tally.openEpoch === null ? 0 : 1;
      return { ...tally, sessionsLost: tally.sessionsLost + lost, openEpoch: event.data.epoch };
    }
    case "CallSessionEnded": {
      if (event.data.epoch !== tally.openEpoch) return tally;
      const lost = LOST.has(event.data.cause) ? 1 : 0;
      return { ...tally, sessionsLost: tally.sessionsLost + lost, openEpoch: null };
    }
    default:
      return tally;
  }
}

function said(tally: ConversationTally, { role, turn = 0, timing, model }: CallMessage): ConversationTally {
  if (role === "customer") return turn > tally.turns ? { ...tally, turns: turn } : tally;
  if (timing === undefined && model === undefined) return tally;
  return {
    ...tally,
    firstTokenMillis: measured(tally.firstTokenMillis, timing?.firstTokenMillis ?? null),
    firstAudioMillis: measured(tally.firstAudioMillis, timing?.firstAudioMillis ?? null),
    model: model?.name ?? tally.model,
    inputTokens: sum(tally.inputTokens, model?.inputTokens ?? null),
    outputTokens: sum(tally.outputTokens, model?.outputTokens ?? null),
  };
}

function measured(known: readonly number[], millis: number | null): readonly number[] {
  return millis === null || known.length >= MOST_MEASURED ? known : [...known, Math.round(millis)];
}

function sum(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}

/** Field by field: a page of calls has 50 of them, and the rest of an object is slow. */
export function conversationRecord(tally: ConversationTally): ConversationRecord {
  return {
    turns: tally.turns,
    interruptions: tally.interruptions,
    handoffs: tally.handoffs,
    toolCalls: tally.toolCalls,
    model: tally.model,
    inputTokens: tally.inputTokens,
    outputTokens: tally.outputTokens,
    sessionsLost: tally.sessionsLost,
    firstTokenMs: percentiles(tally.firstTokenMillis),
    firstAudioMs: percentiles(tally.firstAudioMillis),
  };
}

/** By nearest rank: each is a measured time. */
function percentiles(millis: readonly number[]): ConversationRecord["firstTokenMs"] {
  const sorted = millis.toSorted((a, b) => a - b);
  const ranked = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  return { p50: ranked(0.5), p95: ranked(0.95) };
}
