import type { UsageDay } from "../../contract/account.ts";
import type { CallListRecord, CallRecord } from "../../contract/call.ts";
import type { CallSeries, SeriesBy } from "../../contract/call-series.ts";
import type { CampaignRecord, CampaignStatisticsRecord } from "../../contract/campaign.ts";
import type { CampaignStory, Explanation, Language } from "../../contract/campaign-story.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import type { OutboundCallRecord } from "../../contract/outbound-call.ts";
import type { PolicyVersionRecord } from "../../contract/policy.ts";
import type { SquadRecord } from "../../contract/squad.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallStatus } from "../../domain/call/events.ts";
import type { CampaignStatus, ContactStatus } from "../../domain/campaign/events.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ContactId,
  OwnerId,
  SquadId,
} from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Position } from "./event-store.ts";
import type { OwnerEventsFilter, OwnerEventsPage } from "./queries/history-records.ts";
import type { NumberHistory } from "./queries/number-records.ts";
import type { Page, PageRequest } from "./queries/pages.ts";
import type { FoundRecords, SearchKind } from "./queries/search-records.ts";

/** Which calls a list has. */
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
  /** By the latest analysis. */
  readonly success?: boolean;
  /** Fields of the latest analysis, and their values as the JSON texts of scalars, without quotes. */
  readonly outcome?: readonly { readonly name: string; readonly value: string }[];
};

/** `edges`: the beginnings of the buckets, in whole minutes, ascending, and the end of the last one. */
export type SeriesQuestion = { readonly edges: readonly Instant[]; readonly by: SeriesBy };

/** Without the cap under the owner's plan of now, which the API adds: no event tells it. */
export type UncappedCampaign = Omit<CampaignRecord, "effectiveMaxConcurrentCalls">;

export type CampaignWithStatistics = {
  readonly campaign: UncappedCampaign;
  readonly statistics: CampaignStatisticsRecord;
};

/**
 * Which contacts a list has; all given conditions must hold. What was brought home is that of the last
 * answered call; it and `held` are of now only.
 */
export type ContactFilter = Pick<CallFilter, "success" | "outcome"> & {
  readonly status?: ContactStatus;
  /** Of the last attempt. */
  readonly endReason?: EndReason;
  /** Digits of the number, or the beginning of a word of the name. */
  readonly text?: string;
  /** It asked on a call never to be called again. */
  readonly optedOut?: boolean;
  /** Of those who wait. */
  readonly nextAttemptCause?: NonNullable<ContactRecord["nextAttemptCause"]>;
  /** The owner's policy holds it. */
  readonly held?: boolean;
};

/** So many campaigns are being read whole that another one would wait too long: ask again. */
export class QueriesBusyError extends Error {
  override readonly name = "QueriesBusyError";
}

/** No version of the read model for this question has rows yet: it is being built. */
export class ReadModelUnservedError extends Error {
  override readonly name = "ReadModelUnservedError";
}

/**
 * Receives how far an answer reaches: it contains all events of the owner up to there, perhaps later ones.
 * For read models it is their lowest checkpoint, in the same snapshot; for a fold to an instant, the last
 * folded event. Not called when nothing is known.
 */
export type Heard = (position: Position) => void;

/**
 * Everything that the API reads of calls, campaigns, squads and their history. All is scoped to the owner;
 * another owner's id counts as unknown (null). Lists are newest first by id unless noted, with keyset
 * paging: new rows never repeat or skip a row. Questions to a read model reject ReadModelUnservedError
 * while it has no rows.
 */
export interface Queries {
  /** Parses a position of this log; null when it cannot be one. */
  parsePosition(text: string): Position | null;
  /**
   * `all`: every read model below has reached `position`. `served`: every one with rows has; the others
   * are still being built (they are awaited only during the first 2 s of their building). `behind`: not
   * within `timeoutMillis`.
   */
  caughtUp(position: Position, timeoutMillis: number): Promise<"all" | "served" | "behind">;

  /**
   * The same for the models that no write waits for: those of `search`, of `calls` with a text, of
   * `numberHistory` and of `callSeries`.
   */
  backgroundCaughtUp(position: Position, timeoutMillis: number): Promise<"all" | "served" | "behind">;

  /** The last position that this process knows of the log. */
  knownPosition(): Promise<Position>;
  /** The last event of the log; START: none. */
  head(): Promise<Position>;

  call(owner: OwnerId, id: CallId, heard?: Heard): Promise<CallRecord | null>;
  outboundCall(owner: OwnerId, id: CallId, heard?: Heard): Promise<OutboundCallRecord | null>;
  calls(
    owner: OwnerId,
    filter: CallFilter,
    page: PageRequest<CallId>,
    heard?: Heard,
  ): Promise<Page<CallListRecord, CallId>>;
  /** Calls with a status from initiating to in_progress. */
  activeCalls(
    owner: OwnerId,
    page: PageRequest<CallId>,
    heard?: Heard,
  ): Promise<Page<OutboundCallRecord, CallId>>;
  /** Number of calls created in each bucket. */
  callSeries(owner: OwnerId, question: SeriesQuestion, heard?: Heard): Promise<CallSeries>;
  /** Oldest first, after a revision; null: unknown call. Read from the log, so it is never behind. */
  callEvents(
    owner: OwnerId,
    id: CallId,
    page: PageRequest<number>,
    heard?: Heard,
  ): Promise<Page<HistoryRecord, number> | null>;

  /** By UTC day (`2026-09-01`), both included, oldest first; days without a call are left out. */
  usage(owner: OwnerId, from: string, until: string): Promise<readonly UsageDay[]>;

  campaign(owner: OwnerId, id: CampaignId, heard?: Heard): Promise<CampaignWithStatistics | null>;
  campaigns(
    owner: OwnerId,
    filter: { readonly statuses?: readonly CampaignStatus[] },
    page: PageRequest<CampaignId>,
    heard?: Heard,
  ): Promise<Page<UncappedCampaign, CampaignId>>;
  /** In the order of import; `after` is the index of a contact in it. null: unknown campaign. */
  contacts(
    owner: OwnerId,
    id: CampaignId,
    filter: ContactFilter,
    page: PageRequest<number>,
    heard?: Heard,
  ): Promise<Page<ContactRecord, number> | null>;
  /** Names of fields that analyses of the campaign's calls have had, sorted; an unknown campaign has none. */
  outcomeNames(owner: OwnerId, id: CampaignId): Promise<readonly string[]>;
  /** `campaign_unknown` and `contact_unknown` have different answers in the API. */
  contact(
    owner: OwnerId,
    id: CampaignId,
    contactId: ContactId,
    heard?: Heard,
  ): Promise<ContactRecord | "campaign_unknown" | "contact_unknown">;
  /** Folded from the log, so it is never behind. null: no such contact of this campaign. */
  contactFromLog(owner: OwnerId, id: CampaignId, contactId: ContactId): Promise<ContactRecord | null>;
  /**
   * The campaign's events about the contact and all events of its calls, by position; `after` is a position.
   * The caller has looked up the contact.
   */
  contactEvents(
    owner: OwnerId,
    id: CampaignId,
    contactId: ContactId,
    page: PageRequest<Position>,
    heard?: Heard,
  ): Promise<Page<HistoryRecord, Position> | null>;
  campaignEvents(
    owner: OwnerId,
    id: CampaignId,
    page: PageRequest<number>,
    heard?: Heard,
  ): Promise<Page<HistoryRecord, number> | null>;

  /**
   * The record at `at`, folded from the log; null before its creation; a future time
   * gives the current record.
   */
  campaignAt(
    owner: OwnerId,
    id: CampaignId,
    at: Instant,
    heard?: Heard,
  ): Promise<CampaignWithStatistics | null>;
  contactsAt(
    owner: OwnerId,
    id: CampaignId,
    at: Instant,
    filter: ContactFilter,
    page: PageRequest<number>,
    heard?: Heard,
  ): Promise<Page<ContactRecord, number> | null>;

  /** Folded from the log, so it is never behind. */
  campaignStory(owner: OwnerId, id: CampaignId, heard?: Heard): Promise<CampaignStory | null>;

  /**
   * Why the contact was in its state at that time, from the log; `campaign_unknown` and `contact_unknown`
   * have different answers in the API.
   */
  explain(
    owner: OwnerId,
    question: {
      readonly campaignId: CampaignId;
      readonly contactId: ContactId;
      readonly at: Instant;
      readonly language: Language;
    },
    heard?: Heard,
  ): Promise<Explanation | "campaign_unknown" | "contact_unknown">;

  /** Finds names and numbers; no texts of conversations. */
  search(owner: OwnerId, text: string, kinds: ReadonlySet<SearchKind>, heard?: Heard): Promise<FoundRecords>;
  /**
   * The contacts with this number, and why each was in its state at `at`; a text that is no number may have
   * been refused by an import.
   */
  numberHistory(
    owner: OwnerId,
    question: { readonly number: string; readonly at: Instant; readonly language: Language },
    heard?: Heard,
  ): Promise<NumberHistory>;

  /** The version in force at that time; null as `at`: now. null: none. Read from the log. */
  policy(owner: OwnerId, at: Instant | null, heard?: Heard): Promise<PolicyVersionRecord | null>;
  /** Newest first; `after` is the version of a page's last row. */
  policyVersions(owner: OwnerId, page: PageRequest<number>): Promise<Page<PolicyVersionRecord, number>>;

  squad(owner: OwnerId, id: SquadId, heard?: Heard): Promise<SquadRecord | null>;
  /** Folded from the log, so it is never behind. */
  squadFromLog(owner: OwnerId, id: SquadId): Promise<SquadRecord | null>;
  squads(owner: OwnerId, page: PageRequest<SquadId>, heard?: Heard): Promise<Page<SquadRecord, SquadId>>;
  /** For ASSISTANT_IN_USE: whether the assistant is a member of a squad of this owner. */
  assistantInSquad(owner: OwnerId, id: AssistantId): Promise<boolean>;

  /**
   * All events of the owner's calls, campaigns and squads after a position, oldest first (`backward`: newest
   * first). `next` is where to read on; it also skips filtered events. `atEnd`: nothing more was there.
   */
  ownerEvents(
    owner: OwnerId,
    filter: OwnerEventsFilter,
    page: OwnerEventsPage,
    heard?: Heard,
  ): Promise<{ readonly rows: readonly HistoryRecord[]; readonly next: Position; readonly atEnd: boolean }>;
  /**
   * The position before the last `most` events (of the whole log, or of the owner, depending on what the log
   * can count), and whether `after` is not earlier than that.
   */
  recent(
    owner: OwnerId,
    after: Position,
    most: number,
  ): Promise<{ readonly floor: Position; readonly reaches: boolean }>;
  /**
   * The same, then live, until `signal` aborts; arrays of at most 25. Many followers of an owner share one
   * reading of the log; a slow one keeps only its position.
   */
  followOwnerEvents(
    owner: OwnerId,
    filter: OwnerEventsFilter,
    options: { readonly after: Position; readonly signal: AbortSignal },
  ): AsyncIterable<readonly HistoryRecord[]>;
}
