import type { CallId, CampaignId, ContactId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { Position } from "../event-store.ts";

export type OwnerEventsFilter = {
  readonly types?: readonly string[];
  /** The id of a call, a campaign or a squad of this owner; an unknown id gives no events. */
  readonly streamOf?: CallId | CampaignId | SquadId;
  /** The campaign's own events, and those of its calls. */
  readonly campaignId?: CampaignId;
};

/**
 * Which events of an owner, and from which end: after `after`, before `before` (absent: the end of the log).
 */
export type OwnerEventsPage = {
  readonly after: Position;
  readonly before?: Position;
  /** Newest first; `next` is then the `before` of the next page. */
  readonly backward?: boolean;
  readonly limit: number;
};

/**
 * A campaign's own events in columns, one row each, in order. `at`: ms after the row before (the first:
 * after startsAt). `kind`, `reason`: indexes in `kinds` and `reasons`, -1 none; a reason is the
 * endReason, the pauseReason, or the outcome of a ContactSkipped. `contact`: index of the contact from 0
 * in the order of import, -1 none. `value`: for ContactsImported, CampaignCreated and ContactsAdded the
 * number of contacts; for ContactAttemptFailed the time of the retry in ms after the row, null without
 * one; else the attempt, or null.
 */
export type CampaignStory = {
  /** Position of the last event. */
  readonly position: Position;
  readonly startsAt: Instant;
  /** Number of contacts. */
  readonly contacts: number;
  readonly kinds: readonly string[];
  readonly reasons: readonly string[];
  readonly columns: {
    readonly at: readonly number[];
    readonly kind: readonly number[];
    readonly contact: readonly number[];
    readonly reason: readonly number[];
    readonly value: readonly (number | null)[];
  };
};

/** Why a contact is in its state: the first that holds, in this order. */
export const VERDICTS = [
  "rejected",
  "suppressed",
  "skipped",
  "cancelled",
  "reached",
  "in_call",
  "failed_for_good",
  "budget_used",
  "not_started",
  "paused",
  "waiting_retry",
  "outside_own_window",
  "due",
] as const;
export type Verdict = (typeof VERDICTS)[number];

export type Evidence = { readonly position: Position; readonly type: string; readonly at: Instant };

/**
 * `sentence` states only what the events in `because` say; `until`: when it may change by
 * itself, null: it does not.
 */
export type Explanation = {
  readonly campaignId: CampaignId;
  readonly contactId: ContactId;
  readonly at: Instant;
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly until: Instant | null;
  readonly because: readonly Evidence[];
};

export const LANGUAGES = ["en", "tr"] as const;
/** Language of the sentences. */
export type Language = (typeof LANGUAGES)[number];
