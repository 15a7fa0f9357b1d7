import type { CreditUnits } from "../shared/credits.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ConnectionId,
  ContactId,
  ErasureId,
  MemberId,
  OwnerId,
  PhoneNumberId,
  SquadId,
  ToolId,
} from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { EndReason } from "./end-reason.ts";

export type CallStatus = "initiating" | "ringing" | "connected" | "in_progress" | "completed" | "failed";
export type AnsweredBy = "human" | "machine" | "unknown";
export type EndedBy = "customer" | "assistant" | "api" | "system";
export type RecordingStatus = "pending" | "available" | "none" | "failed";
export type VoicemailPolicy = "hang_up" | "leave_message" | "ignore";
export type MessageRole = "assistant" | "customer" | "tool" | "system";
export type CarrierKind = "simulated" | "asterisk" | "twilio" | "phone";
/** Which far side a call is dialled on: look-up, hang-up and recording go there only. */
export type CarrierIdentity = {
  readonly kind: CarrierKind;
  /** null: the installation's own. */
  readonly connectionId: ConnectionId | null;
  /** The far side's own name: account sid, RF_SINCE, id of the simulator's journal. */
  readonly instance: string;
};
/** Opaque name that the carrier gave its side of the call. */
export type CarrierRef = string;

/** One assistant as it was when the call was made: what is said can be proved without any other table. */
export type PinnedAssistant = {
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly name: string;
  readonly greetingMessage: string;
};

export type PinnedHandoff = {
  readonly fromAssistantId: AssistantId;
  readonly toAssistantId: AssistantId;
  readonly toolName: string;
  /** Spoken before the handoff. */
  readonly message: string | null;
};

/** The squad as it was when the call was made; the call's own assistant speaks first. */
export type PinnedSquad = {
  readonly squadId: SquadId;
  readonly members: readonly (PinnedAssistant & { readonly memberId: MemberId })[];
  readonly handoffs: readonly PinnedHandoff[];
};

export type CallRequested = {
  readonly type: "CallRequested";
  readonly data: {
    readonly callId: CallId;
    readonly owner: OwnerId;
    readonly from: PhoneNumber;
    readonly to: PhoneNumber;
    readonly phoneNumberId: PhoneNumberId;
    readonly assistant: PinnedAssistant;
    readonly squad: PinnedSquad | null;
    readonly campaignId: CampaignId | null;
    readonly contactId: ContactId | null;
    readonly contactName: string | null;
    readonly customData: JsonObject | null;
    /** Numbers the dials of a contact; 1 for a single call. */
    readonly attempt: number;
    /** As rendered for this call; null: erased. */
    readonly greetingMessage: string | null;
    readonly specialInstructions: string | null;
    readonly metadata: JsonObject;
    readonly voicemailPolicy: VoicemailPolicy;
    readonly voicemailMessage: string | null;
    readonly ringTimeoutSeconds: number;
    readonly maxDurationSeconds: number;
    readonly pricePerMinute: CreditUnits;
    /** The pace of the owner's plan: not dialled before. */
    readonly dialAt: Instant;
    /** Not dialled after: a call that comes too late ends `not_placed`. */
    readonly dialBy: Instant;
    /** The connection of the number that calls; null or absent: the installation's own carrier. */
    readonly connectionId?: ConnectionId | null;
    /** SHA-256 (hex) of what the conversation needs, stored once in `config.pinned`; absent in calls from before. */
    readonly pinned?: string;
    readonly at: Instant;
  };
};

/** Durable before any byte leaves for the carrier. Who appended it places the call, never who reads it. */
export type CallDialingBegan = {
  readonly type: "CallDialingBegan";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    /** Absent in calls from before there were several. */
    readonly carrier?: CarrierIdentity;
  };
};

/** The carrier accepted the call. `sequence` numbers the carrier's events of a call; null when the reply of placeCall or a look-up told it. */
export type CallRinging = {
  readonly type: "CallRinging";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
  };
};

export type CallDialOutcomeUnknown = {
  readonly type: "CallDialOutcomeUnknown";
  readonly data: { readonly callId: CallId; readonly at: Instant; readonly cause: string };
};

export type CallConnected = {
  readonly type: "CallConnected";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly answeredBy: AnsweredBy;
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
  };
};

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

export type EndWishBy = "api" | "system" | "assistant";
export type EndWishReason =
  | "api"
  | "campaign_cancelled"
  | "max_duration"
  | "assistant_ended"
  | "silence_timeout"
  | "assistant_error"
  | "voicemail"
  | "voicemail_message_left"
  | "transferred";

/** Somebody wants the call to end; the carrier is asked to hang up until it is so. `by` says who, `reason` the end it will have. */
export type CallEndRequested = {
  readonly type: "CallEndRequested";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly by: EndWishBy;
    readonly reason: EndWishReason;
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

/** Who answered, as far as somebody can tell. The last verdict is the record's. */
export type CallMachineJudged = {
  readonly type: "CallMachineJudged";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly answeredBy: AnsweredBy;
    readonly by: "carrier" | "sound";
    /** Since the answer. */
    readonly afterMillis: number;
    readonly greetingEnded: boolean;
    /** null: no policy followed (a person, or too late). */
    readonly policyApplied: VoicemailPolicy | null;
    readonly dedupeKey?: string;
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

export type CallError = {
  readonly code: string;
  readonly message: string;
  readonly carrierCode: string | null;
};

type CallEnded = {
  readonly callId: CallId;
  readonly at: Instant;
  readonly endReason: EndReason;
  readonly endedBy: EndedBy | null;
  /** Answer to end; null when nobody answered. Clamped to 0..maxDurationSeconds + 30. */
  readonly durationSeconds: number | null;
  readonly cost: CreditUnits;
  /** pending: a recording is to come; none: there will be none. */
  readonly recordingStatus: "pending" | "none";
  readonly carrierRef: CarrierRef | null;
  readonly sequence: number | null;
  readonly dedupeKey?: string;
};

export type CallCompleted = { readonly type: "CallCompleted"; readonly data: CallEnded };
export type CallFailed = {
  readonly type: "CallFailed";
  readonly data: CallEnded & { readonly error: CallError | null };
};

export type CallRecordingAvailable = {
  readonly type: "CallRecordingAvailable";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    /** available: `recordingRef` names it at the carrier. */
    readonly status: "available" | "failed";
    readonly recordingRef: string | null;
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
  };
};

/** What the carrier said after the end (or under a foreign carrierRef): recorded, never applied. */
export type LateCarrierEventRecorded = {
  readonly type: "LateCarrierEventRecorded";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly carrierEventType: string;
    readonly carrierRef: CarrierRef;
    /** null: the carrier does not number its events. */
    readonly sequence: number | null;
    readonly dedupeKey?: string;
    readonly occurredAt: Instant;
  };
};

/** The words of the call are gone for good; what stays is when, how long and how it ended. Appended before its key is erased. */
export type CallContentErased = {
  readonly type: "CallContentErased";
  readonly data: { readonly callId: CallId; readonly at: Instant; readonly erasureId: ErasureId };
};

export type CallEvent =
  | CallRequested
  | CallDialingBegan
  | CallRinging
  | CallDialOutcomeUnknown
  | CallConnected
  | CallConversationStarted
  | CallMessageAdded
  | CallEndRequested
  | CallCompleted
  | CallFailed
  | CallRecordingAvailable
  | LateCarrierEventRecorded
  | CallSessionBegan
  | CallSessionEnded
  | CallSpeechCut
  | CallToolBegan
  | CallToolEnded
  | CallHandedOver
  | CallDigitsReceived
  | CallMachineJudged
  | CallTurnFailed
  | CallContentErased;
