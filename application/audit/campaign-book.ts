import type { ToolCallId } from "../../domain/call/conversation-events.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type {
  CallCallbackAgreed,
  CallCompleted,
  CallEvent,
  CallFailed,
  CallRequested,
} from "../../domain/call/events.ts";
import type {
  CampaignCreated,
  CampaignEvent,
  CampaignStatus,
  ContactDialed,
  ContactSkipped,
} from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { CampaignTexts, TextValues } from "../../domain/campaign/texts/personalisation.ts";
import type { AssistantId, CallId, ContactId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { AuditedEvent } from "./broken-rule.ts";

export type Campaign = AuditedEvent<CampaignEvent>;
export type Dial = AuditedEvent<ContactDialed>;
export type CallStep = AuditedEvent<CallEvent>;
export type CallEnd = AuditedEvent<CallCompleted | CallFailed>;

export type AuditedContact = TextValues & {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  standing: "to_call" | "in_call" | "waiting" | "succeeded" | "failed" | "skipped";
  attempts: number;
  /** Attempts that the carrier never had. */
  notPlaced: number;
  /** Attempts that agreed a callback. */
  callbacks: number;
  /** Attempts that ended because of the assistant. */
  assistantErrors: number;
  /** Failed attempts by their end. */
  readonly failures: Map<EndReason, number>;
  retryAt: Instant | null;
  lastDial: Dial | null;
  skip: AuditedEvent<ContactSkipped> | null;
  /** The event that ended its last attempt, or all of them. */
  ended: Campaign | null;
};

export type AuditedCall = {
  readonly dial: Dial;
  readonly contact: AuditedContact;
  /** As pinned at the dial. */
  readonly line: AuditedLine | null;
  request: AuditedEvent<CallRequested> | null;
  began: CallStep | null;
  /** The highest rank that the call has reached, and the event that brought it. */
  rank: number;
  furthest: CallStep | null;
  end: CallEnd | null;
  outcome: Campaign | null;
  /** The callback of the latest agreement; null: none. */
  agreed: CallCallbackAgreed | null;
  /** null: no session of ours has recorded anything. */
  conversation: AuditedConversation | null;
};

/** What calls are made with. */
export type AuditedLine = CampaignTexts & Pick<CampaignCreated["data"], "from" | "assistant">;

export type AuditedConversation = {
  /** Epoch of the latest session; 0: there was none. */
  epoch: number;
  isOpen: boolean;
  speaker: AssistantId | null;
  /** Texts by message index; null: erased. */
  readonly messages: Map<number, string | null>;
  readonly cut: Set<number>;
  readonly tools: Map<ToolCallId, "open" | "ended">;
};

/** The state that the audit builds from the events. `status` null: not created yet. */
export type CampaignBook = {
  status: CampaignStatus | null;
  settings: CampaignSettings | null;
  /** As pinned now. */
  line: AuditedLine | null;
  /** The event that brought the current status. */
  since: Campaign | null;
  deleted: Campaign | null;
  readonly open: Map<ImportId, AuditedContact[]>;
  readonly sealed: Set<ImportId>;
  readonly contacts: Map<ContactId, AuditedContact>;
  readonly calls: Map<CallId, AuditedCall>;
  readonly live: Set<AuditedCall>;
  readonly liveNumbers: Map<PhoneNumber, AuditedCall>;
  /** Calls whose texts were erased: nothing can be checked about them. */
  readonly erased: ReadonlySet<CallId>;
  /** A chunk whose contacts are erased: of imports nothing can be checked any more. */
  erasedChunk: Campaign | null;
};

export function createCampaignBook(erased: ReadonlySet<CallId>): CampaignBook {
  return {
    status: null,
    settings: null,
    line: null,
    since: null,
    deleted: null,
    open: new Map(),
    sealed: new Set(),
    contacts: new Map(),
    calls: new Map(),
    live: new Set(),
    liveNumbers: new Map(),
    erased,
    erasedChunk: null,
  };
}
