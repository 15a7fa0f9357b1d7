import type { CreditUnits } from "../shared/credits.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ContactId,
  MemberId,
  OwnerId,
  PhoneNumberId,
  SquadId,
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
    /** As rendered for this call. */
    readonly greetingMessage: string;
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
    readonly at: Instant;
  };
};

/** Durable before any byte leaves for the carrier. Who appended it places the call, never who reads it. */
export type CallDialingBegan = {
  readonly type: "CallDialingBegan";
  readonly data: { readonly callId: CallId; readonly at: Instant };
};

/** The carrier accepted the call. `sequence` numbers the carrier's events of a call; null when the reply of placeCall or a look-up told it. */
export type CallRinging = {
  readonly type: "CallRinging";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
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
  };
};

export type CallConversationStarted = {
  readonly type: "CallConversationStarted";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
  };
};

export type CallMessage = {
  readonly index: number;
  readonly role: MessageRole;
  /** Who spoke, or whose conversation it was said in. */
  readonly assistantId: AssistantId | null;
  readonly content: string;
  readonly at: Instant;
  /** Since the answer. */
  readonly offsetMs: number;
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
    readonly carrierRef: CarrierRef;
    readonly sequence: number | null;
    readonly at: Instant;
  };
};

/** Somebody wants the call to end; the carrier is asked to hang up until it is so. `by` says who, `reason` the end it will have. */
export type CallEndRequested = {
  readonly type: "CallEndRequested";
  readonly data: {
    readonly callId: CallId;
    readonly at: Instant;
    readonly by: "api" | "system";
    readonly reason: "api" | "campaign_cancelled" | "max_duration";
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
    readonly sequence: number;
    readonly occurredAt: Instant;
  };
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
  | LateCarrierEventRecorded;
