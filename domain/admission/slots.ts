import type { PolicyEvidence } from "../policy/policy.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../shared/ids.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";

/** Milliseconds since 1970. Turns of the pace have a fraction. */
export type Millis = number;

/** What one campaign holds and wants of its owner's slots. */
export type Demand = {
  readonly campaignId: CampaignId;
  live: number;
  /** Candidates without a slot after its last request. */
  wanted: number;
  /** The campaign's own limit; null: only the plan's. */
  cap: number | null;
  perSecond: number | null;
  /** First free turn of its own pace. */
  nextTurn: Millis;
  lastGrant: Millis;
  /** When the demand expires. */
  until: Millis;
  /** Price that it could not reserve at its last request; null: credits were not the reason. */
  creditsWanted: CreditUnits | null;
  /** Key of the connection of its last request. */
  connection: string | null;
  /** The shared resource that was missing at its last request; null: none was. */
  waitsFor: string | null;
};

/**
 * A row of work.call_slots; activeCalls, maxConcurrentCalls and availableCredits are those at
 * the time of the grant.
 */
export type SlotRow = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  /** Whom it is to call; null: not stored by the release that opened it. */
  readonly phoneNumber: PhoneNumber | null;
  readonly price: CreditUnits;
  readonly dialAt: Millis;
  readonly dialBy: Millis;
  readonly nextLookAt: Millis;
  readonly paced: boolean;
  readonly activeCalls: number;
  readonly maxConcurrentCalls: number;
  readonly availableCredits: CreditUnits;
  /** Its connection; null: one that is not counted. */
  readonly connection: string | null;
  readonly audio: boolean;
  /** By what the owner's policy allowed it; null: there was none. */
  readonly policy: PolicyEvidence | null;
  /** The zone that was given for the person. */
  readonly timezone: string | null;
  closedAt: Millis | null;
};

export type Plan = { readonly maxConcurrentCalls: number; readonly maxCallsPerSecond: number };
