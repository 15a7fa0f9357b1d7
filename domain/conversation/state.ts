import type { MessageKind, SessionEndCause, ToolCallId } from "../call/conversation-events.ts";
import type { EndWishBy, EndWishReason } from "../call/events.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { AnswerPart, AskedCall } from "./inputs.ts";
import type { Past } from "./past.ts";
import type { OfferedTool, Script, Speaker, ToolArguments } from "./script.ts";

/** Speech that is in progress, until it was heard completely or cut. */
export type Utterance = {
  /** Ascending in the order of speaking; 0: nothing of it was given to the session yet. */
  id: number;
  readonly kind: MessageKind;
  readonly turn: number;
  readonly speaker: Speaker;
  readonly interruptible: boolean;
  /** The text generated so far. */
  text: string;
  /** How many characters of it were given to the session. */
  given: number;
  /** No more text will come. */
  complete: boolean;
  /** Monotonic ms of its first character; null: nothing was given to the session yet. */
  startedMono: number | null;
  startedAt: Instant | null;
  /** Moment of the line (`Move.line`) at the estimated end of what was given so far. */
  heardAtLine: number;
  /** Index of its message; null: not appended yet. */
  index: number | null;
  /** Moment of the line at which we stopped it; the session then reports what was heard. null: it goes on. */
  clearedAtLine: number | null;
};

export type Generation = {
  readonly id: number;
  readonly turn: number;
  /** It must not be spoken before this append is durable; null: nothing to wait for. */
  readonly waitsFor: number | null;
  utterance: Utterance | null;
  readonly calls: AskedCall[];
  /** The model has finished; applied when the answer may be spoken. */
  end: Extract<AnswerPart, { readonly kind: "end" }> | null;
  firstTokenMillis: number | null;
  firstAudioMillis: number | null;
  characters: number;
  readonly estimatedTokens: number;
};

/** A tool call in progress; `runs` once its beginning is durable. */
export type RunningTool = {
  readonly toolCallId: ToolCallId;
  readonly tool: OfferedTool;
  readonly arguments: JsonObject;
  readonly ticket: number;
  readonly begunMono: number;
  runs: boolean;
};

export type Ending = {
  readonly by: EndWishBy;
  readonly reason: EndWishReason;
  /** Where the line is transferred instead of ending the call: the carrier reports that end. */
  readonly transfer: { readonly to: string; readonly toolCallId: ToolCallId; begun: boolean } | null;
  /** The carrier was asked to hang up, or the end was requested elsewhere. */
  asked: boolean;
};

/** Counts of the customer's current turn. */
export type TurnCounts = { rounds: number; faults: number; retries: number; fillers: number };

export type TimerName =
  | "filler"
  | "first_part"
  | "retry"
  | "turn"
  | "tool_filler"
  | "tools"
  | "unknown_tools"
  | "silence"
  | "speech"
  | "digits"
  | "settle"
  | "heard"
  | "slow_append"
  | "lost_append"
  | "drain"
  | "transfer"
  | "silent"
  | "voicemail"
  | "warning"
  | "maximum"
  | "last_results";

export type Live = {
  readonly timers: Map<TimerName, number>;
  /** Appends that are not durable yet, by ticket: the monotonic moment of each, and its number of events. */
  readonly waiting: Map<number, { readonly sinceMono: number; readonly events: number }>;
  lastTicket: number;
  lastUtterance: number;
  lastGeneration: number;
  /** Open utterances, in the order of speaking. */
  readonly speaking: Utterance[];
  customerSpeaking: boolean;
  /** Words of an unfinished turn, and words that wait for an append. */
  words: string;
  wordsWait: boolean;
  wordsLanguage: string | null;
  digits: string;
  generation: Generation | null;
  /** The customer's turn, or the result of a tool or a handoff, waits for an answer. */
  wantsAnswer: boolean;
  /** The next answer must not be spoken before this append is durable. */
  answerWaitsFor: number | null;
  turnSaidMono: number | null;
  counts: TurnCounts;
  readonly tools: Map<ToolCallId, RunningTool>;
  /** A special call of the model, done after the results of the normal tools. */
  afterTools: AskedCall | null;
  /** A machine answered: we wait for the end of its greeting, or leave the message. */
  listening: "no" | "for_end_of_greeting" | "leaving_message";
  /** An opt-out that this session heard is asked of the log before it is confirmed. */
  optOut: "not_asked" | "asked" | "stands";
  ending: Ending | null;
  closed: SessionEndCause | null;
  /** Nothing is said or appended any more. */
  over: boolean;
  warned: boolean;
};

export type ConversationState = {
  readonly script: Script;
  readonly toolArguments: ToolArguments;
  readonly speed: number;
  readonly epoch: number;
  readonly past: Past;
  readonly live: Live;
};

export function newCounts(): TurnCounts {
  return { rounds: 0, faults: 0, retries: 0, fillers: 0 };
}

export function initialLive(): Live {
  return {
    timers: new Map(),
    waiting: new Map(),
    lastTicket: 0,
    lastUtterance: 0,
    lastGeneration: 0,
    speaking: [],
    customerSpeaking: false,
    words: "",
    wordsWait: false,
    wordsLanguage: null,
    digits: "",
    generation: null,
    wantsAnswer: false,
    answerWaitsFor: null,
    turnSaidMono: null,
    counts: newCounts(),
    tools: new Map(),
    afterTools: null,
    listening: "no",
    optOut: "not_asked",
    ending: null,
    closed: null,
    over: false,
    warned: false,
  };
}

/** `past` is folded from the events of the call up to and including the CallSessionBegan of this session. */
export function conversationState(
  given: Pick<ConversationState, "script" | "toolArguments" | "speed" | "past">,
): ConversationState {
  return { ...given, epoch: given.past.epoch, live: initialLive() };
}

export function speakerNow({ script, past }: Pick<ConversationState, "script" | "past">): Speaker {
  const { speaking } = past;
  if (speaking === null) return script.speakers[0];
  const member = script.speakers.find(({ memberId }) => memberId === speaking.memberId);
  return (
    member ??
    script.speakers.find(({ assistantId }) => assistantId === speaking.assistantId) ??
    script.speakers[0]
  );
}
