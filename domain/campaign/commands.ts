import type { EndReason } from "../call/end-reason.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type { CallId, CampaignId, ContactId, ImportId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type {
  CampaignCreated,
  DialEvidence,
  ImportedContact,
  RejectedContacts,
  SuppressionEntry,
} from "./events.ts";
import type { CampaignSettings } from "./settings.ts";

/** A slot granted for a due contact, with the evidence from admission. */
export type GrantedDial = {
  readonly contactId: ContactId;
  readonly callId: CallId;
  readonly dialAt: Instant;
  readonly dialBy: Instant;
  readonly evidence: Pick<DialEvidence, "activeCalls" | "effectiveMaxConcurrentCalls" | "availableCredits">;
};

/** A call as the carrier reports it. */
export type CallOfTheCarrier = {
  readonly callId: CallId;
  readonly from: PhoneNumber;
  readonly to: PhoneNumber;
  /** By the carrier's clock. */
  readonly at: Instant;
};

/**
 * Conditions for an automatic pause that the campaign cannot know. (It judges outside_call_window by itself.)
 */
export type WorldCondition = {
  readonly phoneNumberInactive: boolean;
  readonly assistantUnpublished: boolean;
  readonly insufficientCredits: boolean;
  readonly carrierUnavailable: boolean;
  /** Five answered calls in a row ended because the assistant failed. */
  readonly assistantUnavailable: boolean;
};

export type CampaignCommand =
  | {
      readonly type: "ImportContacts";
      readonly campaignId: CampaignId;
      readonly importId: ImportId;
      readonly firstIndex: number;
      readonly contacts: readonly ImportedContact[];
      readonly now: Instant;
    }
  | { readonly type: "CreateCampaign"; readonly campaign: CampaignCreated["data"] }
  | {
      readonly type: "AddContacts";
      readonly importId: ImportId;
      readonly added: number;
      readonly rejected: RejectedContacts;
      readonly now: Instant;
    }
  | { readonly type: "AbandonImport"; readonly importId: ImportId; readonly now: Instant }
  /** Start and resume pause at once when there is an automatic reason. Without credits, start is refused. */
  | { readonly type: "StartCampaign"; readonly world: WorldCondition; readonly now: Instant }
  /**
   * By the runner: starts a PENDING campaign whose startAt has come. Without credits it starts
   * and is paused for that.
   */
  | { readonly type: "StartInTime"; readonly world: WorldCondition; readonly now: Instant }
  | { readonly type: "PauseCampaign"; readonly now: Instant }
  | {
      readonly type: "ResumeCampaign";
      readonly by: "api";
      readonly world: WorldCondition;
      readonly now: Instant;
    }
  /**
   * By the runner: pauses or resumes for automatic reasons, in the order of docs/api.md §5. Never
   * ends a manual pause.
   */
  | { readonly type: "JudgeConditions"; readonly world: WorldCondition; readonly now: Instant }
  | { readonly type: "CancelCampaign"; readonly hangUpActiveCalls: boolean; readonly now: Instant }
  | { readonly type: "ChangeSettings"; readonly changes: Partial<CampaignSettings>; readonly now: Instant }
  /**
   * Suppressed due contacts are skipped; granted ones are dialled if state, window, budget and
   * cap allow it at `now`.
   */
  | {
      readonly type: "DialDueContacts";
      readonly granted: readonly GrantedDial[];
      readonly suppressed: readonly ContactId[];
      /** The entries of the do-not-call list, as far as known. */
      readonly suppressions?: ReadonlyMap<ContactId, SuppressionEntry>;
      readonly now: Instant;
    }
  | {
      readonly type: "RecordAttemptOutcome";
      readonly contactId: ContactId;
      readonly callId: CallId;
      readonly endReason: EndReason;
      readonly durationSeconds: number | null;
      readonly cost: CreditUnits;
      readonly endedAt: Instant;
      readonly now: Instant;
    }
  | {
      readonly type: "SkipContact";
      readonly contactId: ContactId;
      readonly reason: "suppressed" | "by_request";
      readonly now: Instant;
    }
  /**
   * After a restore: contacts still to be called, whose number the carrier has called from this campaign's
   * number, end as outcome_unknown; `limit` at a time.
   */
  | {
      readonly type: "EndCalledSince";
      readonly calls: readonly CallOfTheCarrier[];
      readonly limit: number;
      readonly now: Instant;
    }
  | { readonly type: "CompleteIfDone"; readonly now: Instant };
