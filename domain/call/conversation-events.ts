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
    /** null: reported by the session, not by the carrier. */
    readonly carrierRef: CarrierRef | null;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
    /** The session that reported it. */
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
  /** Who spoke or, for the customer's words, who was spoken to. */
  readonly assistantId: AssistantId | null;
  /** null: erased. */
  readonly content: string | null;
  readonly at: Instant;
  /** Since the answer. */
  readonly offsetMs: number;
  /** Only of messages of the assistant. */
  readonly kind?: MessageKind;
  /** The customer's turn (from 1) that it belongs to; 0: before the first. */
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
    /** null: reported by the session, not by the carrier. */
    readonly carrierRef: CarrierRef | null;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
    /** The session that reported it. */
    readonly epoch?: number;
    readonly at: Instant;
  };
};

/** How the words of a call reach this service. */
export type SessionKind = "in_process" | "relay" | "phone" | "audio";

/** Why a session closed. finished: we closed it. process_lost: its process died without recording a cause. */
export type SessionEndCause =
  | "hung_up"
  | "line_lost"
  | "session_lost"
  | "refused"
  | "finished"
  | "process_lost";

/** A session is open. Its epoch is the last one plus 1. Events of older epochs are refused from here on. */
export type CallSessionBegan = {
  readonly type: "CallSessionBegan";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly kind: SessionKind;
    /** How long the call had no session before this one; null: it is the first. */
    readonly gapMillis: number | null;
  };
};

/** The last event of a session. */
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

/** `<callId>-<n>`. We make our own ids, because models repeat theirs. */
export type ToolCallId = string;

export type ToolCallOutcome = "answered" | "failed" | "timed_out" | "refused" | "unknown";

/** What proves that a tool was called; null: does not apply, or was not reached. */
export type ToolEvidence = {
  /** HTTP status. */
  readonly status: number | null;
  readonly millis: number | null;
  /** Size of the answer's body as far as it was read (at most 256 KiB), and its SHA-256 in hex. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly host: string | null;
  /** Rows of a database query. */
  readonly rows: number | null;
};

/** Durable before the request is sent. Takes a message index, as a message does. */
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
    /** null: not a tool of the owner (end_call). */
    readonly toolId: ToolId | null;
    readonly toolName: string;
    readonly assistantId: AssistantId;
    /** null: erased. */
    readonly arguments: JsonObject | null;
    /** The tool changes nothing, so it may run again after a crash. */
    readonly repeatable: boolean;
    /** The model's id, and what its server sent with the call: both go back as they came. */
    readonly modelCallId?: string;
    readonly modelFields?: JsonObject;
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

/** Another member of the squad goes on speaking. Takes a message index, as a tool does. */
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
    /** In the model's words; null: it gave none, or they were erased. */
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
    /** The customer's message that shows them, which follows. Absent: an older release made none. */
    readonly messageIndex?: number;
  };
};

/** The assistant had no answer for a turn. */
export type CallTurnFailed = {
  readonly type: "CallTurnFailed";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    readonly turn: number;
    /** One of our codes, never the provider's text. */
    readonly kind: string;
    /** null: nothing, or erased. */
    readonly saidInstead: string | null;
  };
};
