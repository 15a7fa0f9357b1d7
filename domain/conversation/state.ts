import type { MessageKind, SessionEndCause, ToolCallId } from "../call/conversation-events.ts";
import type { EndWishBy, EndWishReason } from "../call/events.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { AnswerPart, AskedCall } from "./inputs.ts";
import type { Past } from "./past.ts";
import type { OfferedTool, Script, Speaker, ToolArguments } from "./script.ts";

/** Something that is being said: open until it was heard to its end or cut. */
export type Utterance = {
  /** Rises in the order in which utterances go to the session; 0: nothing was given of it yet. */
  id: number;
  readonly kind: MessageKind;
  readonly turn: number;
  readonly speaker: Speaker;
  readonly interruptible: boolean;
  /** What was generated of it so far. */
  text: string;
  /** How much of it was given to the session, in characters. */
  given: number;
  /** Nothing more of it comes. */
  complete: boolean;
  /** Monotonic ms of its first character; null: nothing was given to the session yet. */
  startedMono: number | null;
  startedAt: Instant | null;
  /** Monotonic ms at which what was given of it is heard to its end, by estimate. */
  heardAtMono: number;
  /** Place of its message; null: not appended yet. */
  index: number | null;
  /** Monotonic ms at which we stopped it: what was heard of it is to be told. null: it goes on. */
  clearedMono: number | null;
};

/** An answer that is being made. */
export type Generation = {
  readonly id: number;
  readonly turn: number;
  /** Nothing of it leaves before this append is durable; null: nothing to wait for. */
  readonly waitsFor: number | null;
  utterance: Utterance | null;
  readonly calls: AskedCall[];
  /** The model has said all; it is carried out when it may leave. */
  end: Extract<AnswerPart, { readonly kind: "end" }> | null;
  firstTokenMillis: number | null;
  firstAudioMillis: number | null;
  characters: number;
  readonly estimatedTokens: number;
};

/** A tool call that began; `runs` once its beginning is durable. */
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
  /** Where the line is to go instead of ending. */
  readonly transfer: { readonly to: string; readonly toolCallId: ToolCallId; begun: boolean } | null;
  /** The carrier was asked, or somebody else asked for the end. */
  asked: boolean;
};

/** What the turn of the customer has cost so far. */
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
  /** Monotonic moments at which appends were begun that are not durable yet, by ticket, with the number of their events. */
  readonly waiting: Map<number, { readonly sinceMono: number; readonly events: number }>;
  lastTicket: number;
  lastUtterance: number;
  lastGeneration: number;
  /** Open utterances, in the order in which they are said. */
  readonly speaking: Utterance[];
  customerSpeaking: boolean;
  /** Parts of a turn that goes on, and words that wait for an append. */
  words: string;
  wordsWait: boolean;
  wordsLanguage: string | null;
  digits: string;
  generation: Generation | null;
  /** The customer's turn, or what a tool or a handoff brought, waits for an answer. */
  wantsAnswer: boolean;
  /** Nothing of the next answer leaves before this append is durable. */
  answerWaitsFor: number | null;
  turnSaidMono: number | null;
  counts: TurnCounts;
  readonly tools: Map<ToolCallId, RunningTool>;
  /** What the model asked for besides normal tools, done when those have their results. */
  afterTools: AskedCall | null;
  /** A machine answered: its greeting is waited for, or the message is being left. */
  listening: "no" | "for_end_of_greeting" | "leaving_message";
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
    ending: null,
    closed: null,
    over: false,
    warned: false,
  };
}

/** `past` is folded from the call's events up to and with the CallSessionBegan of this session. */
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
