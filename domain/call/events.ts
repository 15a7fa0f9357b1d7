import type { PolicyHours } from "../policy/callable-times.ts";
import type { Consent, PolicyEvidence } from "../policy/policy.ts";
import type { CallWindow } from "../shared/call-window.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ConnectionId,
  ContactId,
  ErasureId,
  OwnerId,
  PhoneNumberId,
} from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { CarrierIdentity, CarrierRef } from "./carrier-identity.ts";
import type {
  CallConversationStarted,
  CallDigitsReceived,
  CallHandedOver,
  CallMessageAdded,
  CallSessionBegan,
  CallSessionEnded,
  CallSpeechCut,
  CallToolBegan,
  CallToolEnded,
  CallTurnFailed,
} from "./conversation-events.ts";
import type { EndReason } from "./end-reason.ts";
import type { PinnedAssistant, PinnedSquad } from "./pinned.ts";

export type CallStatus = "initiating" | "ringing" | "connected" | "in_progress" | "completed" | "failed";
export type AnsweredBy = "human" | "machine" | "unknown";
export type EndedBy = "customer" | "assistant" | "api" | "system";
export type RecordingStatus = "pending" | "available" | "none" | "failed";
export type VoicemailPolicy = "hang_up" | "leave_message" | "ignore";

/** What who is called may agree about being called again. */
export type CallbackTerms = {
  /** IANA zone in which times are meant. */
  readonly zone: string;
  readonly window: CallWindow | null;
  /** Callable hours of the owner's policy, which must be open too; absent: none. */
  readonly hours?: PolicyHours;
  /** How many agreements are left. */
  readonly left: number;
  /** The last local date that may be agreed is so many days after today. */
  readonly maxDays: number;
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
    /** Number of this dial of the contact; 1 for a single call. */
    readonly attempt: number;
    /** As filled for this call; null: erased. */
    readonly greetingMessage: string | null;
    readonly specialInstructions: string | null;
    readonly metadata: JsonObject;
    readonly voicemailPolicy: VoicemailPolicy;
    readonly voicemailMessage: string | null;
    readonly ringTimeoutSeconds: number;
    readonly maxDurationSeconds: number;
    readonly pricePerMinute: CreditUnits;
    /** Not dialled before; set by the pace of the owner's plan. */
    readonly dialAt: Instant;
    /** Not dialled after; the call then ends `not_placed`. */
    readonly dialBy: Instant;
    /** The connection of the calling number; null or absent: the installation's default. */
    readonly connectionId?: ConnectionId | null;
    /** SHA-256 (hex) of what the conversation needs, in `config.pinned`; absent in older calls. */
    readonly pinned?: string;
    /** What may be agreed about calling again, as of the dial; absent: only a wish to be called is noted. */
    readonly callback?: CallbackTerms;
    /** The call in which this one was agreed. */
    readonly callbackOf?: CallId;
    /** Why the owner's policy allowed the dial; absent: there was none. */
    readonly evidence?: PolicyEvidence;
    /** IANA zone of the person, where a single call was given it; of a contact the campaign tells it. */
    readonly timezone?: string;
    /** As it was given for a single call; absent: none, or of a contact, where the campaign tells it. */
    readonly consent?: Consent;
    readonly at: Instant;
  };
};

/**
 * Durable before any byte is sent to the carrier. Only the process that appended it places the call,
 * never one that read it.
 */
export type CallDialingBegan = {
  readonly type: "CallDialingBegan";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    /** Absent in calls from before there were several connections. */
    readonly carrier?: CarrierIdentity;
  };
};

/**
 * The carrier accepted the call. `sequence`: the carrier's number of this event; null when the reply to
 * placeCall or a look-up reported it.
 */
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

export type EndWishBy = "api" | "system" | "assistant";
export type EndWishReason =
  | "api"
  | "campaign_cancelled"
  | "max_duration"
  | "assistant_ended"
  | "silence_timeout"
  | "assistant_error"
  | "voicemail"
  | "voicemail_message_left";

/**
 * The end of the call is requested; the hang-up is asked of the carrier until the call ends. `by`: who
 * requested it. `reason`: decides the end reason; `transferred` only in events of older releases.
 */
export type CallEndRequested = {
  readonly type: "CallEndRequested";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly by: EndWishBy;
    readonly reason: EndWishReason | "transferred";
  };
};

/** Who answered, as far as that can be known. The record shows the last verdict. */
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
    /** null: no policy was applied (a person answered, or it was too late). */
    readonly policyApplied: VoicemailPolicy | null;
    readonly dedupeKey?: string;
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
  /** From the answer to the end; null when nobody answered. Clamped to 0..maxDurationSeconds + 30. */
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
    /** available: `recordingRef` is the carrier's name of it. */
    readonly status: "available" | "failed";
    readonly recordingRef: string | null;
    readonly reason?: string; // why it is not kept, or did not come
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
    readonly dedupeKey?: string;
  };
};

/** A carrier event after the end, or under another carrierRef: recorded, never applied. */
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

/**
 * The texts of the call are erased; times, duration and end reason stay. Appended before the key is erased.
 */
export type CallContentErased = {
  readonly type: "CallContentErased";
  readonly data: { readonly callId: CallId; readonly at: Instant; readonly erasureId: ErasureId };
};

/** words: heard by the listener; model: it called stop_calling; keypad: the assistant's key was pressed. */
export type OptOutBy = "words" | "model" | "keypad";

/**
 * Who was called asks never to be called again. Once a call, by a reaction, also after the end; the number is
 * on the owner's do-not-call list before.
 */
export type CallOptedOut = {
  readonly type: "CallOptedOut";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly by: OptOutBy;
    /** The message or tool call that said it; null: it has no index. */
    readonly messageIndex: number | null;
    /** When it was said. */
    readonly saidAt: Instant;
  };
};

/** The number was taken off the do-not-call list by hand. `by`: id of the API key. */
export type CallOptOutRevoked = {
  readonly type: "CallOptOutRevoked";
  readonly data: { readonly callId: CallId; readonly at: Instant; readonly by: string };
};

/** Who was called agrees when to be called again, or takes that back; the latest agreement counts. */
export type CallCallbackAgreed = {
  readonly type: "CallCallbackAgreed";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly epoch: number;
    /** Local time as it was asked, `2026-11-28T10:00`; null: taken back. */
    readonly asked: string | null;
    /** When the call is due; null: taken back, or no call is made by itself. */
    readonly callbackAt: Instant | null;
    /** IANA zone of `asked`; null: not known, so that no call is made by itself. */
    readonly zone: string | null;
    /** The call is due at another local time than was asked. */
    readonly moved: boolean;
    /** What the next call is about, in the model's words; null: nothing, or erased. */
    readonly note: string | null;
    /** Of the tool call that said it. */
    readonly messageIndex: number;
  };
};

/** UUID; that of the engine's own wish is made of the call's id. */
export type AnalysisId = string;

/** The model that answered, and its tokens over all tries; null: it does not count them. */
export type AnalysisModel = {
  readonly name: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

/** Somebody wants to know what the call brought home. Pending until it is answered. */
export type CallAnalysisRequested = {
  readonly type: "CallAnalysisRequested";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly analysisId: AnalysisId;
    readonly assistantId: AssistantId;
    readonly assistantVersion: number;
    /** SHA-256 (hex) of what is asked for and of whom, stored once in `config.pinned`. */
    readonly schemaHash: string;
    /** `engine`, or the id of an API key. */
    readonly by: string;
  };
};

/** null: the call does not prove a value. */
export type OutcomeValue = boolean | number | string | null;

export type CallAnalysed = {
  readonly type: "CallAnalysed";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly analysisId: AnalysisId;
    /** By name; null: erased. */
    readonly fields: Readonly<Record<string, OutcomeValue>> | null;
    /** Indexes of the messages that prove a value, by name; ascending, at most 20 each. */
    readonly evidence: Readonly<Record<string, readonly number[]>>;
    /** Names of fields with an answer that nothing proves, or that does not fit. */
    readonly unsupported: readonly string[];
    /** Names of the fields of type enum: their values are counted, as booleans are; absent: there is none. */
    readonly enums?: readonly string[];
    readonly summary: string | null;
    /** null: the assistant does not say when a call succeeded, its field has no value, or it is erased. */
    readonly success: boolean | null;
    /** The oldest turns were left out. */
    readonly truncated: boolean;
    readonly model: AnalysisModel;
  };
};

export type AnalysisFailure = "model_unavailable" | "not_valid" | "gave_up";

export type CallAnalysisFailed = {
  readonly type: "CallAnalysisFailed";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly analysisId: AnalysisId;
    readonly reason: AnalysisFailure;
    readonly tries: number;
    /** null: no model was asked. */
    readonly model: AnalysisModel | null;
  };
};

/** What a session tells of, beside words. */
export type CallSessionEvent =
  | CallSessionBegan
  | CallSessionEnded
  | CallSpeechCut
  | CallToolBegan
  | CallToolEnded
  | CallHandedOver
  | CallDigitsReceived
  | CallMachineJudged
  | CallTurnFailed;

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
  | CallSessionEvent
  | CallOptedOut
  | CallOptOutRevoked
  | CallCallbackAgreed
  | CallAnalysisRequested
  | CallAnalysed
  | CallAnalysisFailed
  | CallContentErased;
