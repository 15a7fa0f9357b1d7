import type { AssistantId, CallId, MemberId, ToolId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";
import type { CarrierRef } from "./carrier-identity.ts";

export type MessageRole = "assistant" | "customer" | "tool" | "system";

export type CallConversationStarted = {
  readonly type: "CallConversationStarted";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    /** null: the session told it, not the carrier. */
    readonly carrierRef: CarrierRef | null;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
    /** Of the session that told it. */
    readonly epoch?: number;
  };
};

/** Why the assistant said it. */
export type MessageKind =
  | "greeting"
  | "answer"
  | "filler"
  | "prompt"
  | "fallback"
  | "warning"
  | "handoff"
  | "voicemail"
  | "notice";

/** Since the end of the customer's turn; null: not known. */
export type TurnTiming = {
  readonly firstTokenMillis: number | null;
  readonly firstAudioMillis: number | null;
};

/** Which model made it; tokens are null when the server counts none. */
export type ModelUse = {
  readonly name: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

export type CallMessage = {
  readonly index: number;
  readonly role: MessageRole;
  /** Who spoke, or whose conversation it was said in. */
  readonly assistantId: AssistantId | null;
  /** null: erased. */
  readonly content: string | null;
  readonly at: Instant;
  /** Since the answer. */
  readonly offsetMs: number;
  /** Of the assistant's messages. */
  readonly kind?: MessageKind;
  /** Turn of the customer (from 1) that it belongs to; 0: before the first. */
  readonly turn?: number;
  /** BCP 47. */
  readonly language?: string;
  readonly timing?: TurnTiming;
  readonly model?: ModelUse;
  readonly toolId?: string;
  readonly toolName?: string;
  readonly arguments?: JsonValue;
  readonly result?: JsonValue;
  readonly isError?: boolean;
};

export type CallMessageAdded = {
  readonly type: "CallMessageAdded";
  readonly data: {
    readonly callId: CallId;
    readonly message: CallMessage;
    /** null: the session told it, not the carrier. */
    readonly carrierRef: CarrierRef | null;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
    /** Of the session that told it. */
    readonly epoch?: number;
    readonly at: Instant;
  };
};

/** How the words of a call reach us. */
export type SessionKind = "in_process" | "relay" | "phone" | "audio";

/** Why a session closed. finished: we closed it; process_lost: nobody was there to say so. */
export type SessionEndCause =
  | "hung_up"
  | "line_lost"
  | "session_lost"
  | "refused"
  | "finished"
  | "process_lost";

/** A conversation's line is open. Its epoch is one more than the last; every later event of it carries it, and no older one is taken any more. */
export type CallSessionBegan = {
  readonly type: "CallSessionBegan";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly kind: SessionKind;
    /** How long the call had no session before; null: it is the first. */
    readonly gapMillis: number | null;
  };
};

/** The last word of a session. */
export type CallSessionEnded = {
  readonly type: "CallSessionEnded";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly cause: SessionEndCause;
  };
};

/** An utterance of the assistant was not heard to its end. */
export type CallSpeechCut = {
  readonly type: "CallSpeechCut";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly messageIndex: number;
    /** A beginning of the message's content; null: erased. */
    readonly heard: string | null;
    readonly heardMillis: number;
    /** estimated: by the time that passed. */
    readonly precision: "exact" | "estimated";
  };
};

/** `<callId>-<n>`: ours, because models repeat theirs. */
export type ToolCallId = string;

export type ToolCallOutcome = "answered" | "failed" | "timed_out" | "refused" | "unknown";

/** What proves that a tool was asked; null: does not apply, or was not reached. */
export type ToolEvidence = {
  /** Of HTTP. */
  readonly status: number | null;
  readonly millis: number | null;
  /** Of the answer's body as it was read (at most 256 KiB), with its SHA-256 in hex. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly host: string | null;
  /** Of a query. */
  readonly rows: number | null;
};

/** Durable before the request leaves. Counts as a message: it takes a place among them. */
export type CallToolBegan = {
  readonly type: "CallToolBegan";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly turn: number;
    readonly messageIndex: number;
    /** Since the answer. */
    readonly offsetMs: number;
    readonly toolCallId: ToolCallId;
    /** null: no tool of the owner (end_call). */
    readonly toolId: ToolId | null;
    readonly toolName: string;
    readonly assistantId: AssistantId;
    /** null: erased. */
    readonly arguments: JsonObject | null;
    /** It changes nothing: it may be run again after a crash. */
    readonly repeatable: boolean;
  };
};

export type CallToolEnded = {
  readonly type: "CallToolEnded";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly toolCallId: ToolCallId;
    readonly outcome: ToolCallOutcome;
    /** What the model was shown, at most 4 KiB; null: erased. */
    readonly shown: string | null;
    readonly isError: boolean;
    readonly evidence: ToolEvidence;
  };
};

/** Another member of the squad speaks on. Counts as a message, as a tool does. */
export type CallHandedOver = {
  readonly type: "CallHandedOver";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly turn: number;
    readonly messageIndex: number;
    /** Since the answer. */
    readonly offsetMs: number;
    readonly from: AssistantId;
    readonly to: AssistantId;
    readonly toAssistantVersion: number;
    readonly toMemberId: MemberId;
    readonly toolCallId: ToolCallId;
    readonly toolName: string;
    /** The variables that the model filled; null: erased. */
    readonly variables: JsonObject | null;
    /** In the model's words, when it gave any; null: none, or erased. */
    readonly reason: string | null;
  };
};

export type CallDigitsReceived = {
  readonly type: "CallDigitsReceived";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly turn: number;
    /** null: erased. */
    readonly digits: string | null;
    readonly count: number;
  };
};

/** The assistant could not answer a turn. */
export type CallTurnFailed = {
  readonly type: "CallTurnFailed";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly turn: number;
    /** A word of ours, never the provider's text. */
    readonly kind: string;
    /** null: nothing, or erased. */
    readonly saidInstead: string | null;
  };
};
