import type { CallMessage } from "../../../domain/call/conversation-events.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import type {
  AnsweredBy,
  CallError,
  CallStatus,
  EndedBy,
  RecordingStatus,
} from "../../../domain/call/events.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ContactId,
  PhoneNumberId,
  SquadId,
} from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

/** A message in public form: what was heard of it; for a tool, with its result. */
export type ShownMessage = CallMessage & {
  /** It was not heard completely: `content` is what was heard. */
  readonly interrupted?: true;
  /** The complete text of an interrupted message; null: erased. */
  readonly intended?: string | null;
};

/**
 * Over the measured turns, in whole milliseconds since the end of the customer's words;
 * null: none was measured.
 */
export type Percentiles = { readonly p50: number | null; readonly p95: number | null };

/** Figures about the conversation of an answered call. */
export type ConversationRecord = {
  /** Turns of the customer that the assistant was to answer. */
  readonly turns: number;
  /** Messages that were not heard completely. */
  readonly interruptions: number;
  readonly handoffs: number;
  readonly toolCalls: number;
  readonly firstTokenMs: Percentiles;
  readonly firstAudioMs: Percentiles;
  /** The last model that answered. */
  readonly model: string | null;
  /** null: the model's server reports none. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Sessions that were lost before the end of the call. */
  readonly sessionsLost: number;
};

/** Call record of docs/api.md §4; amounts in credits. `recordingUrl` is under PUBLIC_URL. */
export type CallRecord = {
  readonly id: CallId;
  readonly callId: CallId;
  readonly type: "outbound";
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
  readonly endedBy: EndedBy | null;
  readonly from: PhoneNumber;
  readonly to: PhoneNumber;
  readonly phoneNumberId: PhoneNumberId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly squadId: SquadId | null;
  readonly campaignId: CampaignId | null;
  readonly contactId: ContactId | null;
  readonly attempt: number;
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: JsonObject;
  readonly answeredBy: AnsweredBy | null;
  readonly createdAt: Instant;
  readonly ringingAt: Instant | null;
  readonly connectedAt: Instant | null;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly durationSeconds: number | null;
  /** Credits; null until the end. */
  readonly cost: number | null;
  readonly recordingUrl: string | null;
  readonly recordingStatus: RecordingStatus;
  /** null: nobody answered. */
  readonly conversation: ConversationRecord | null;
  readonly messages: readonly ShownMessage[];
  readonly statusHistory: readonly { readonly status: CallStatus; readonly at: Instant }[];
  readonly error: CallError | null;
  /** Its texts were erased. */
  readonly erased: boolean;
  readonly updatedAt: Instant;
};

/** A row of GET /calls. */
export type CallListRecord = Omit<CallRecord, "messages" | "statusHistory">;

/** GET /calls/outbound/:callId and a row of /calls/outbound/active. */
export type OutboundCallRecord = Pick<
  CallRecord,
  | "callId"
  | "status"
  | "endReason"
  | "to"
  | "phoneNumberId"
  | "assistantId"
  | "campaignId"
  | "createdAt"
  | "connectedAt"
  | "endedAt"
  | "durationSeconds"
> & { readonly endRequestedAt: Instant | null };

export type CallFilter = {
  readonly status?: CallStatus;
  readonly campaignId?: CampaignId;
  readonly to?: PhoneNumber;
  /** createdAt, inclusive. */
  readonly from?: Instant;
  /** createdAt, exclusive. */
  readonly until?: Instant;
  /** Digits of the called number, or the beginning of a word of the contact's name. */
  readonly text?: string;
};
