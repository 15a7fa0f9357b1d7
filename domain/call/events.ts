import type { CreditUnits } from "../shared/credits.ts";
import type {
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
