import type { CreditUnits } from "../../../domain/shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";

/** Milliseconds since 1970. Turns of the pace have a fraction. */
export type Millis = number;

/** What one campaign holds and wants of its owner's slots. */
export type Demand = {
  readonly campaignId: CampaignId;
  live: number;
  /** Candidates that got no slot when it asked last. */
  wanted: number;
  /** The campaign's own limits; null: the plan's alone. */
  cap: number | null;
  perSecond: number | null;
  /** First turn of its own pace that is not taken. */
  nextTurn: Millis;
  lastGrant: Millis;
  /** When the demand lapses. */
  until: Millis;
  /** Price it could not reserve when it asked last; null: credits were not what was missing. */
  creditsWanted: CreditUnits | null;
  /** Key of the connection that it asked for last. */
  connection: string | null;
  /** What of all owners' it could not get enough of when it asked last; null: that was not what was missing. */
  waitsFor: string | null;
};

/** A row of work.call_slots; activeCalls, maxConcurrentCalls and availableCredits are what held when it was granted. */
export type SlotRow = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  readonly price: CreditUnits;
  readonly dialAt: Millis;
  readonly dialBy: Millis;
  readonly nextLookAt: Millis;
  readonly paced: boolean;
  readonly activeCalls: number;
  readonly maxConcurrentCalls: number;
  readonly availableCredits: CreditUnits;
  /** What it calls through; null: nothing that is counted. */
  readonly connection: string | null;
  readonly audio: boolean;
  closedAt: Millis | null;
};
