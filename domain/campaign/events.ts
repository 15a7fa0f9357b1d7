import type { EndReason } from "../call/end-reason.ts";
import type { VoicemailPolicy } from "../call/events.ts";
import type { PinnedAssistant, PinnedSquad } from "../call/pinned.ts";
import type { Consent, PolicyEvidence, PolicyRule } from "../policy/policy.ts";
import type { CallWindow } from "../shared/call-window.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type {
  CallId,
  CampaignId,
  ContactId,
  ImportId,
  OwnerId,
  PhoneNumberId,
  SuppressionListId,
} from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { SuppressionListKind } from "../suppression/events.ts";
import type { CampaignSettings, DefaultedSetting } from "./settings.ts";

export type CampaignStatus = "PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED";
export type ContactStatus = "pending" | "dialing" | "waiting_retry" | "succeeded" | "failed" | "skipped";
export type PauseReason =
  | "manual"
  | "phone_number_inactive"
  | "assistant_unpublished"
  | "outside_call_window"
  | "insufficient_credits"
  | "carrier_unavailable"
  | "assistant_unavailable"
  /** One rule of the owner's policy would skip all contacts still to be called. */
  | "policy_refuses_all"
  /** A list of numbers that are not called is too old, or older than the log says. */
  | "list_outdated"
  /** Whoever is asked before each dial does not answer. */
  | "eligibility_unavailable";

export type ImportedContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly name: string | null;
  readonly customData: JsonObject;
  readonly timezone: string | null;
  readonly externalId: string | null;
  /** Absent: none was given. */
  readonly consent?: Consent;
};

/**
 * Contacts of an import, at most 256 KiB a chunk. They count once the import is sealed
 * (CampaignCreated, ContactsAdded).
 */
export type ContactsImported = {
  readonly type: "ContactsImported";
  readonly data: {
    readonly campaignId: CampaignId;
    readonly importId: ImportId;
    /** Number of contacts of this import in the chunks before. */
    readonly firstIndex: number;
    readonly contacts: readonly ImportedContact[];
    readonly at: Instant;
  };
};

export type RejectedContact = {
  readonly index: number;
  readonly phoneNumber: string | null;
  readonly reason: string;
  readonly line?: number;
};
/** Their number, and the first 100 of them. */
export type RejectedContacts = { readonly count: number; readonly items: readonly RejectedContact[] };

export type CampaignCreated = {
  readonly type: "CampaignCreated";
  readonly data: {
    readonly campaignId: CampaignId;
    readonly owner: OwnerId;
    readonly importId: ImportId;
    /** Number of contacts of the import that this event seals. */
    readonly totalContacts: number;
    readonly rejected: RejectedContacts;
    readonly settings: CampaignSettings;
    readonly phoneNumberId: PhoneNumberId;
    readonly from: PhoneNumber;
    readonly assistant: PinnedAssistant;
    readonly squad: PinnedSquad | null;
    readonly voicemailPolicy: VoicemailPolicy;
    readonly voicemailMessage: string | null;
    readonly maxDurationSeconds: number;
    readonly ringTimeoutSeconds: number;
    /** Templates as given; null greeting: the assistant's default. */
    readonly greetingMessage: string | null;
    readonly specialInstructions: string | null;
    /** As given by the caller, without the two texts. */
    readonly metadata: JsonObject;
    /** SHA-256 (hex) of what the conversations need, stored once; absent in older campaigns. */
    readonly pinned?: string;
    /** Version of the rule for filling texts; absent: version 1, which fills only the seed's placeholders. */
    readonly placeholders?: 2 | 3;
    /** Settings that took their default; absent in older events: not known. */
    readonly defaulted?: readonly DefaultedSetting[];
    readonly at: Instant;
  };
};

export type ContactsAdded = {
  readonly type: "ContactsAdded";
  readonly data: {
    readonly campaignId: CampaignId;
    readonly importId: ImportId;
    readonly added: number;
    readonly rejected: RejectedContacts;
    readonly at: Instant;
  };
};

export type ImportAbandoned = {
  readonly type: "ImportAbandoned";
  readonly data: { readonly campaignId: CampaignId; readonly importId: ImportId; readonly at: Instant };
};

type CampaignMoment = { readonly campaignId: CampaignId; readonly at: Instant };

export type CampaignStarted = {
  readonly type: "CampaignStarted";
  /** system: started by its startAt. Absent: started by a user. */
  readonly data: CampaignMoment & { readonly by?: "system" };
};

export type CampaignPaused = {
  readonly type: "CampaignPaused";
  readonly data: CampaignMoment & {
    readonly reason: PauseReason;
    /** The earliest opening among contacts still to be called; only with outside_call_window. */
    readonly nextWindowOpensAt: Instant | null;
    /** Version of the owner's policy; only with policy_refuses_all. */
    readonly policyVersion?: number;
  };
};

export type CampaignResumed = {
  readonly type: "CampaignResumed";
  readonly data: CampaignMoment & {
    readonly by: "api" | "system";
    /** Version of the owner's policy that refuses all contacts, who are skipped; absent: not so. */
    readonly policyVersion?: number;
  };
};

/** Who speaks, from which number, and what: as in CampaignCreated, only what changed. */
export type ChangedPins = Partial<
  Pick<
    CampaignCreated["data"],
    | "phoneNumberId"
    | "from"
    | "assistant"
    | "squad"
    | "voicemailPolicy"
    | "voicemailMessage"
    | "maxDurationSeconds"
    | "greetingMessage"
    | "specialInstructions"
    | "pinned"
    | "placeholders"
  >
>;

export type CampaignSettingsChanged = {
  readonly type: "CampaignSettingsChanged";
  readonly data: CampaignMoment & {
    readonly changes: Partial<CampaignSettings>;
    /** Calls that are recorded before it keep theirs. Absent: nothing of it changed. */
    readonly pins?: ChangedPins;
  };
};

/**
 * The right to call a contact once, with the evidence that it was allowed. The process that appended it
 * opens the call's stream.
 */
export type ContactDialed = {
  readonly type: "ContactDialed";
  readonly data: CampaignMoment & {
    readonly contactId: ContactId;
    readonly callId: CallId;
    readonly phoneNumber: PhoneNumber;
    readonly attempt: number;
    readonly dialAt: Instant;
    readonly dialBy: Instant;
    readonly evidence: DialEvidence;
    /** The contact waited for a callback, and this is it; absent: not so. */
    readonly waitedForCallback?: true;
  };
};

type AttemptEnded = CampaignMoment & {
  readonly contactId: ContactId;
  readonly callId: CallId;
  readonly attempt: number;
  readonly endReason: EndReason;
  readonly durationSeconds: number | null;
  /** What the call was charged; absent in older events: not known. */
  readonly cost?: CreditUnits;
  /** 1 + maxRetries + attempts that the carrier never had or that agreed a callback, valid at this moment. */
  readonly maxAttempts: number;
  /** The contact asked on this call never to be called again; absent: not so. */
  readonly optedOut?: true;
};

export type ContactSucceeded = { readonly type: "ContactSucceeded"; readonly data: AttemptEnded };

/**
 * The attempt was answered and agreed when to call again: it does not use the budget, and the contact is due
 * at `callbackAt`.
 */
export type ContactCallbackScheduled = {
  readonly type: "ContactCallbackScheduled";
  readonly data: Omit<AttemptEnded, "optedOut"> & {
    readonly cost: CreditUnits;
    readonly agreedAt: Instant;
    /** The first opening of the contact's window from what was agreed on, by the settings of this moment. */
    readonly callbackAt: Instant;
    /** IANA zone in which the window was judged. */
    readonly zone: string;
  };
};

/** `retryAt` null: no retry is left, the contact has failed. */
export type ContactAttemptFailed = {
  readonly type: "ContactAttemptFailed";
  readonly data: AttemptEnded & {
    readonly retryAt: Instant | null;
    /**
     * From the end of the attempt to `retryAt` in ms, stored when a retry minute was not 60 s (simulated), or
     * a row of the plan says when; the audit judges by it. With a row for a later day: at least so long.
     */
    readonly retryIntervalMillis?: number;
    /** Row of `retryPlan`, counted from 0, by which the retry is due; absent: by no row. */
    readonly planRow?: number;
  };
};

/** no_consent, zone_unknown, not_eligible: by the owner's policy. */
export type SkipReason =
  | "suppressed"
  | "by_request"
  | "outcome_unknown"
  | "zone_unknown"
  | "no_consent"
  | "not_eligible";

export type ContactSkipped = {
  readonly type: "ContactSkipped";
  readonly data: CampaignMoment & {
    readonly contactId: ContactId;
    readonly reason: SkipReason;
    /**
     * skipped: never called; failed: called before. A dialing contact keeps its live call, ends with its
     * outcome and gets no retry. With outcome_unknown the carrier has called the contact, so it is failed.
     */
    readonly outcome: "skipped" | "failed" | "no_retry";
    /** Only with the reason outcome_unknown. */
    readonly unknownCall?: UnknownCall;
    /** Only with the reason suppressed; absent in older events: not recorded. */
    readonly suppression?: SuppressionEntry;
    /** Only with the reason not_eligible: what the owner's address says; absent: nothing. */
    readonly refusal?: string;
    /** The contact waited for a callback, which is not made; absent: not so. */
    readonly waitedForCallback?: true;
  };
};

/**
 * A rule of the owner's policy keeps the contact from being dialled. It stays pending or waiting_retry, and
 * is held until `until`, or until the policy has another version.
 */
export type ContactHeld = {
  readonly type: "ContactHeld";
  readonly data: CampaignMoment & {
    readonly contactId: ContactId;
    readonly rule: HoldRule;
    /** null: until the call `heldBy` has ended. */
    readonly until: Instant | null;
    readonly heldBy: CallId | null;
    readonly policyVersion: number;
    readonly value: string | number | null;
    readonly limit: string | number | null;
    /** Only with the rule eligibility: what the owner's address says; absent: nothing. */
    readonly refusal?: string;
  };
};

/** Rules that hold a contact by an event of its own. */
export type HoldRule = Extract<
  PolicyRule,
  "oneCallAtATime" | "attemptsPerNumber" | "eligibility" | "eligibility_unavailable"
>;

/** Contacts never called become skipped, those waiting for a retry become failed. */
export type CampaignCancelled = {
  readonly type: "CampaignCancelled";
  readonly data: CampaignMoment & { readonly hangUpActiveCalls: boolean };
};

export type CampaignCompleted = { readonly type: "CampaignCompleted"; readonly data: CampaignMoment };

/** Only of a campaign that had not begun. From here on it is as one that never was, but for its history. */
export type CampaignDeleted = { readonly type: "CampaignDeleted"; readonly data: CampaignMoment };

export type CampaignEvent =
  | ContactsImported
  | CampaignCreated
  | ContactsAdded
  | ImportAbandoned
  | CampaignStarted
  | CampaignPaused
  | CampaignResumed
  | CampaignSettingsChanged
  | ContactDialed
  | ContactSucceeded
  | ContactCallbackScheduled
  | ContactAttemptFailed
  | ContactSkipped
  | ContactHeld
  | CampaignCancelled
  | CampaignCompleted
  | CampaignDeleted;

/**
 * Proof that the dial was allowed at that moment (docs/api.md §5, Call window), with the
 * whole window as it was.
 */
export type DialEvidence = {
  /** Local date and time in `timezone`, `2026-09-01T13:00:00.000+03:00`. */
  readonly localTime: string;
  readonly utcOffsetMinutes: number;
  readonly timezone: string;
  readonly window: CallWindow | null;
  /** Live calls of the campaign, this one included, and the cap that applied. */
  readonly activeCalls: number;
  readonly effectiveMaxConcurrentCalls: number;
  readonly availableCredits: CreditUnits;
  readonly attempt: number;
} & Partial<PolicyEvidence>;

/** A call that the carrier had and this log does not know: the log was restored to an older state. */
export type UnknownCall = {
  readonly callId: CallId;
  readonly calledAt: Instant;
  /** Status of the contact in this log when the call was found. */
  readonly contactWas: "pending" | "waiting_retry" | "dialing";
};

/**
 * An entry of the do-not-call list. `by`: id of the API key that made it; null: a call, or older than this
 * field.
 */
export type SuppressionEntry = {
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly by: string | null;
  /** The call on which somebody asked for it; absent: none, or not recorded. */
  readonly callId?: CallId;
  /** The list it stands on; absent: the do-not-call list. Then `createdAt` is the day of the list. */
  readonly list?: {
    readonly id: SuppressionListId;
    readonly name: string;
    readonly kind: SuppressionListKind;
  };
};
