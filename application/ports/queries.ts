import type { EndReason } from "../../domain/call/end-reason.ts";
import type {
  AnsweredBy,
  CallError,
  CallMessage,
  CallStatus,
  EndedBy,
  RecordingStatus,
} from "../../domain/call/events.ts";
import type { CampaignStatus, ContactStatus, PauseReason } from "../../domain/campaign/events.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ContactId,
  HandoffId,
  MemberId,
  OwnerId,
  PhoneNumberId,
  SquadId,
} from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { ContextMode, HandoffVariable } from "../../domain/squad/events.ts";
import type { Position } from "./event-store.ts";

/** Call record of interface.md §4; amounts in credits. `recordingUrl` lies under PUBLIC_URL. */
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
  readonly greetingMessage: string;
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
  readonly messages: readonly CallMessage[];
  readonly statusHistory: readonly { readonly status: CallStatus; readonly at: Instant }[];
  readonly error: CallError | null;
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

/**
 * Campaign record of the seed with the additions of interface.md §5, but for `effectiveMaxConcurrentCalls`, which the API works out from the
 * owner's plan of that moment. `metadata` already holds greetingMessage and specialInstructions (the caller's own keys win).
 */
export type CampaignRecord = {
  readonly id: CampaignId;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly phoneNumberId: PhoneNumberId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly squadId: SquadId | null;
  readonly userId: OwnerId;
  readonly totalContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  readonly pendingCalls: number;
  readonly activeCalls: number;
  readonly skippedContacts: number;
  readonly maxConcurrentCalls: number | null;
  readonly maxRetries: number | null;
  readonly retryIntervalMins: number | null;
  readonly retryOn: readonly EndReason[];
  readonly timezone: string;
  readonly callWindowStart: number | null;
  readonly callWindowEnd: number | null;
  readonly pauseReason: PauseReason | null;
  readonly nextWindowOpensAt: Instant | null;
  readonly metadata: JsonObject;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
};

/** The seed's statistics object. */
export type CampaignStatisticsRecord = {
  readonly totalContacts: number;
  readonly pendingContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  /** Seconds; null while no call has completed. */
  readonly averageCallDuration: number | null;
};

export type CampaignWithStatistics = {
  readonly campaign: CampaignRecord;
  readonly statistics: CampaignStatisticsRecord;
};

export type ContactAttemptRecord = {
  readonly attempt: number;
  readonly callId: CallId;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
};

export type ContactRecord = {
  readonly id: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly name: string | null;
  readonly customData: JsonObject;
  readonly timezone: string | null;
  readonly externalId: string | null;
  readonly status: ContactStatus;
  readonly attempts: readonly ContactAttemptRecord[];
  readonly nextAttemptAt: Instant | null;
  readonly createdAt: Instant;
};

export type SquadMemberRecord = {
  readonly id: MemberId;
  readonly squadId: SquadId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  readonly position: number;
  readonly overrideSettings: JsonObject;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type HandoffRecord = {
  readonly id: HandoffId;
  readonly squadId: SquadId;
  readonly fromMemberId: MemberId;
  readonly toMemberId: MemberId;
  readonly fromAssistantId: AssistantId;
  readonly toAssistantId: AssistantId;
  readonly toolName: string;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: ContextMode;
  readonly contextMaxMessages: number | null;
  readonly variables: readonly HandoffVariable[];
  readonly enabled: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Members by position, handoffs by creation. */
export type SquadRecord = {
  readonly id: SquadId;
  readonly name: string;
  readonly description: string | null;
  readonly overrideSettings: JsonObject;
  readonly members: readonly SquadMemberRecord[];
  readonly handoffs: readonly HandoffRecord[];
  readonly userId: OwnerId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** An event in its public form: `data` as stored, but ContactsImported tells `firstIndex` and `count` in place of its contacts. */
export type HistoryRecord = {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly occurredAt: Instant;
  readonly correlationId: string;
  readonly causationId: string | null;
};

/** `after`: the key of the last row of the page before (what `next` said), checked by the API for its form; null: the first page. `limit` 1..200. */
export type PageRequest<Key> = { readonly limit: number; readonly after: Key | null };
/** `next` null: there is no further page. */
export type Page<Row, Key> = { readonly rows: readonly Row[]; readonly next: Key | null };

export type CallFilter = {
  readonly status?: CallStatus;
  readonly campaignId?: CampaignId;
  readonly to?: PhoneNumber;
  /** createdAt, inclusive. */
  readonly from?: Instant;
  /** createdAt, exclusive. */
  readonly until?: Instant;
};

export type OwnerEventsFilter = {
  readonly types?: readonly string[];
  /** The id of a call, a campaign or a squad of this owner; one that is not: no events. */
  readonly streamOf?: CallId | CampaignId | SquadId;
};

/**
 * Everything the API reads of calls, campaigns, squads and their history; all scoped to the owner, another owner's id answers as an unknown one
 * does (null). Lists are newest first by id unless a line says otherwise, by keyset: a page never repeats or skips a row because others came.
 */
export interface Queries {
  /** Text from outside as a position of this log; null when it cannot be one. */
  parsePosition(text: string): Position | null;
  /** True as soon as every read model below has come to `position`; false when it has not within `timeoutMillis`. */
  caughtUp(position: Position, timeoutMillis: number): Promise<boolean>;

  call(owner: OwnerId, id: CallId): Promise<CallRecord | null>;
  outboundCall(owner: OwnerId, id: CallId): Promise<OutboundCallRecord | null>;
  calls(owner: OwnerId, filter: CallFilter, page: PageRequest<CallId>): Promise<Page<CallListRecord, CallId>>;
  /** Statuses initiating to in_progress. */
  activeCalls(owner: OwnerId, page: PageRequest<CallId>): Promise<Page<OutboundCallRecord, CallId>>;
  /** How the carrier names the recording; null: no such call, or no recording that can be had now. */
  recordingRef(owner: OwnerId, id: CallId): Promise<string | null>;
  /** Oldest first, after a revision; null: unknown call. Read from the log, so it is never behind. */
  callEvents(
    owner: OwnerId,
    id: CallId,
    page: PageRequest<number>,
  ): Promise<Page<HistoryRecord, number> | null>;

  campaign(owner: OwnerId, id: CampaignId): Promise<CampaignWithStatistics | null>;
  campaigns(
    owner: OwnerId,
    filter: { readonly status?: CampaignStatus },
    page: PageRequest<CampaignId>,
  ): Promise<Page<CampaignRecord, CampaignId>>;
  /** In the order of import; `after` is the place of a contact in it. null: unknown campaign. */
  contacts(
    owner: OwnerId,
    id: CampaignId,
    filter: { readonly status?: ContactStatus },
    page: PageRequest<number>,
  ): Promise<Page<ContactRecord, number> | null>;
  /** `campaign_unknown` and `contact_unknown` are two answers of the API. */
  contact(
    owner: OwnerId,
    id: CampaignId,
    contactId: ContactId,
  ): Promise<ContactRecord | "campaign_unknown" | "contact_unknown">;
  campaignEvents(
    owner: OwnerId,
    id: CampaignId,
    page: PageRequest<number>,
  ): Promise<Page<HistoryRecord, number> | null>;

  /** The record as it stood at `at`, folded from the log; before its creation null, a time to come: as now. */
  campaignAt(owner: OwnerId, id: CampaignId, at: Instant): Promise<CampaignWithStatistics | null>;
  contactsAt(
    owner: OwnerId,
    id: CampaignId,
    at: Instant,
    filter: { readonly status?: ContactStatus },
    page: PageRequest<number>,
  ): Promise<Page<ContactRecord, number> | null>;

  squad(owner: OwnerId, id: SquadId): Promise<SquadRecord | null>;
  /** Folded from the log, so it is never behind. */
  squadFromLog(owner: OwnerId, id: SquadId): Promise<SquadRecord | null>;
  squads(owner: OwnerId, page: PageRequest<SquadId>): Promise<Page<SquadRecord, SquadId>>;
  /** For ASSISTANT_IN_USE: whether the assistant is a member of a squad of this owner. */
  assistantInSquad(owner: OwnerId, id: AssistantId): Promise<boolean>;

  /** Everything that happened to the owner's calls, campaigns and squads after a position, oldest first. `next` is where to read on, also over events that the filter left out; `atEnd`: nothing more was there. */
  ownerEvents(
    owner: OwnerId,
    filter: OwnerEventsFilter,
    page: { readonly after: Position; readonly limit: number },
  ): Promise<{ readonly rows: readonly HistoryRecord[]; readonly next: Position; readonly atEnd: boolean }>;
  /** The same, then live, until `signal` aborts; arrays of at most 500, bounded memory with a slow reader. */
  followOwnerEvents(
    owner: OwnerId,
    filter: OwnerEventsFilter,
    options: { readonly after: Position; readonly signal: AbortSignal },
  ): AsyncIterable<readonly HistoryRecord[]>;
}
