import type { CarrierKind } from "../../domain/call/carrier-identity.ts";
import type { CreditUnits } from "../../domain/shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/**
 * The connection that a dial uses, with its own limits; its pace gives a turn beside those of the
 * owner and the campaign.
 */
export type ConnectionTurn = {
  /** The connection's id, or the kind of the carrier for the installation's default. */
  readonly key: string;
  readonly kind: CarrierKind;
  /** Its conversations are sound, which costs a process more than text does. */
  readonly audio: boolean;
  readonly callsPerSecond: number | null;
  readonly maxConcurrentCalls: number | null;
};

export type AdmissionRequest = {
  readonly owner: OwnerId;
  /** null: a single call. */
  readonly campaignId: CampaignId | null;
  /** The calls that are wanted, in order; `windowClosesAt`: the call must not be dialled from then on. */
  readonly candidates: readonly { readonly callId: CallId; readonly windowClosesAt: Instant | null }[];
  readonly pricePerMinute: CreditUnits;
  /** The campaign's own limit; null: only the plan's. */
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  /** null: only plan and campaign limit it. */
  readonly connection: ConnectionTurn | null;
};

export type Grant = {
  readonly callId: CallId;
  /** The latest turn of plan, campaign and connection, at most 30 s ahead; the call waits for it. */
  readonly dialAt: Instant;
  /** min(dialAt + 15 s, closing of the window). */
  readonly dialBy: Instant;
  /** Live calls of the campaign (single call: of the owner), this one included, at that moment. */
  readonly activeCalls: number;
  /** min(campaign cap, plan) at that moment. */
  readonly effectiveMaxConcurrentCalls: number;
  /** Available credits before the reservation for this call. */
  readonly availableCredits: CreditUnits;
};

/**
 * Why not everything was granted. `share`: another campaign of the owner comes first. `pace` (campaigns
 * only): the next turn is more than 2 s ahead; a wake follows in time.
 */
export type AdmissionRefusal =
  | "concurrency"
  | "share"
  | "pace"
  /**
   * The connection has no free line, is slowed down, or its next turn is more than 30 s ahead; a
   * wake follows in time.
   */
  | "carrier"
  /** All processes together can hold no more conversations; a wake follows when one ends. */
  | "capacity"
  | "credits"
  | "owner_inactive"
  | "closed"
  | null;

export type Admitted = { readonly granted: readonly Grant[]; readonly refusal: AdmissionRefusal };

export type Slot = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  readonly dialAt: Instant;
  readonly dialBy: Instant;
  readonly nextLookAt: Instant;
  /** The carrier was told where to open a session, and has until then. Absent: no session is due. */
  readonly sessionDueBy?: Instant;
};

export type Settlement = { readonly callId: CallId; readonly cost: CreditUnits };

export type Account = {
  readonly balance: CreditUnits;
  readonly reserved: CreditUnits;
  readonly liveCalls: number;
};

/**
 * A slot became free for this campaign, or credits arrived (then for each campaign that waits):
 * admission can be asked again.
 */
export type Wake = { readonly owner: OwnerId; readonly campaignId: CampaignId };

/**
 * A turn this near is awaited before anything is stored, so that the watchdog does not need
 * to look at the call.
 */
export const SHORT_TURN_MILLIS = 50;

/**
 * Slots, pace and credits of the owners, each change in one transaction (docs/architecture.md §3.2, §4).
 * The PostgreSQL and the in-memory form pass the same suite (test/contracts/admission). The plan
 * (concurrency, pace, active) belongs to the owner. `owner.live` and `reserved` always change in the same
 * transaction as the slot rows.
 */
export interface Admission {
  /**
   * Takes slots and reserves the price of a minute for as many candidates as allowed, in order. The first
   * look is due at dialAt if that is in the future, else at dialBy. An open slot of a callId is granted again
   * unchanged; a closed one (kept 24 h) is refused as `closed`.
   */
  admit(request: AdmissionRequest): Promise<Admitted>;
  /**
   * The carrier is overloaded: the connection's next turn is this much later (1 to 60 s). A repeat after that
   * turn, with no dial accepted since, doubles the wait. A repeat before that turn comes from dials in flight
   * and doubles nothing.
   */
  slowDown(connectionKey: string, retryAfterMillis: number): Promise<void>;
  /**
   * The carrier accepted a dial of this connection that began so long ago. If it began after the slowing, the
   * slowing ends, and the next one starts anew.
   */
  tookDial(connectionKey: string, begunMillisAgo: number): Promise<void>;
  /** Another turn of the connection for a dial that missed its own; null: none before that time. */
  takeTurn(connection: ConnectionTurn, before: Instant): Promise<Instant | null>;
  /**
   * Frees the slot, releases the reservation and charges the cost: once for each callId, however often and by
   * whom it is called. Unknown callIds are ignored.
   */
  close(settlements: readonly Settlement[]): Promise<void>;
  /**
   * For a CallRequested without a slot (restored database): makes slot and reservation
   * without checking limits.
   */
  ensure(slot: Slot, pricePerMinute: CreditUnits): Promise<void>;
  /** Open slots whose look is due by `now`, the longest due first. */
  dueLooks(now: Instant, limit: number): Promise<readonly Slot[]>;
  /** Sets the next look of these calls; closed ones are ignored. */
  setNextLooks(looks: readonly { readonly callId: CallId; readonly at: Instant }[]): Promise<void>;
  /** A session of this call may arrive until then; a closed one is ignored. */
  expectSession(callId: CallId, by: Instant): Promise<void>;
  /** The earliest next look of all open slots. */
  nextLookAt(): Promise<Instant | null>;
  account(owner: OwnerId): Promise<Account>;
  /** Once for each (owner, reference). */
  topUp(owner: OwnerId, amount: CreditUnits, reference: string): Promise<Account>;
  /**
   * Calls the listener with campaigns that could go on, soon after the commit that allows it,
   * also of another process.
   */
  onWake(listener: (wake: Wake) => void): () => void;
  /** The campaign wants nothing for now (paused, done): its demand no longer counts for the share. */
  withdrawDemand(campaignId: CampaignId): Promise<void>;
}

/**
 * One row of the ledger. reserve and release move `reserved`; top_up and charge move `balance`,
 * which may fall below 0.
 */
export type LedgerEntry = {
  readonly id: string;
  readonly at: Instant;
  readonly cause: "top_up" | "reserve" | "release" | "charge";
  readonly amount: CreditUnits;
  readonly balance: CreditUnits;
  readonly reserved: CreditUnits;
  readonly callId: CallId | null;
  readonly reference: string | null;
};
