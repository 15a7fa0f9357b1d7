import type { CarrierKind } from "../../domain/call/carrier-identity.ts";
import type { CreditUnits } from "../../domain/shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** What a dial goes through, with limits of its own; its pace is a turn beside the owner's and the campaign's. */
export type ConnectionTurn = {
  /** The connection's id; the kind of the carrier for the installation's own. */
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
  /** Wanted calls in order; `windowClosesAt`: nobody dials this one from then on. */
  readonly candidates: readonly { readonly callId: CallId; readonly windowClosesAt: Instant | null }[];
  readonly pricePerMinute: CreditUnits;
  /** The campaign's own limits; null: the plan's alone. */
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  /** null: nothing but plan and campaign limits it. */
  readonly connection: ConnectionTurn | null;
};

export type Grant = {
  readonly callId: CallId;
  /** The latest of the turns of plan, campaign and connection: a call waits for it, at most 30 s. */
  readonly dialAt: Instant;
  /** min(dialAt + 15 s, closing of the window). */
  readonly dialBy: Instant;
  /** Live calls of the campaign (single calls: of the owner), this one included, when it was granted. */
  readonly activeCalls: number;
  /** min(campaign cap, plan) then. */
  readonly effectiveMaxConcurrentCalls: number;
  /** Available credits before this one's reservation. */
  readonly availableCredits: CreditUnits;
};

/**
 * Why not everything wanted was granted. `share`: another campaign of the owner is due first. `pace` (campaigns only): the next turn lies more than
 * 2 s ahead; a wake follows in time.
 */
export type AdmissionRefusal =
  | "concurrency"
  | "share"
  | "pace"
  /** The connection has no line free, is slowed, or its next turn lies more than 30 s ahead; a wake follows in time. */
  | "carrier"
  /** All processes together hold no more conversations; a wake follows when one ends. */
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
};

export type Settlement = { readonly callId: CallId; readonly cost: CreditUnits };

export type Account = {
  readonly balance: CreditUnits;
  readonly reserved: CreditUnits;
  readonly liveCalls: number;
};

/** A slot became free for this campaign, or credits arrived (then for each campaign that waits): ask again. */
export type Wake = { readonly owner: OwnerId; readonly campaignId: CampaignId };

/** A turn of the pace that is no further away: whoever asked for it waits for it, before anything is stored; nobody has to look at the call then. */
export const SHORT_TURN_MILLIS = 50;

/**
 * Slots, pace and credits of the owners, in one transaction each (docs/architecture.md §3.2, §4). The PostgreSQL form and the in-memory one pass the
 * same suite (test/contracts/admission). The plan (concurrency, pace, active) is the owner's own.
 * `owner.live` and `reserved` change in the same transaction as the slot rows, always.
 */
export interface Admission {
  /** Takes slots and reserves the price of a minute for as many candidates as are allowed, in order. The first look is due at dialAt when that lies ahead, else at dialBy. An open slot of a callId is granted again as it was; a closed one (kept 24 h) answers refusal `closed`. */
  admit(request: AdmissionRequest): Promise<Admitted>;
  /**
   * The carrier has too much to do: the connection's next turn lies so much later (1 to 60 s), twice as much as the last time when it is told again
   * after that turn and before a dial is taken. What is told before that turn is of dials that were under way, and doubles nothing.
   */
  slowDown(connectionKey: string, retryAfterMillis: number): Promise<void>;
  /** The carrier took a dial of this connection that began so long ago: if that was after the slowing, it is over, and the next one begins anew. */
  tookDial(connectionKey: string, begunMillisAgo: number): Promise<void>;
  /** Another turn of the connection, for a dial that missed its own; null: none before then. */
  takeTurn(connection: ConnectionTurn, before: Instant): Promise<Instant | null>;
  /** Frees the slot, releases the reservation and charges the cost: once per callId whoever calls it, however often. Unknown callIds are ignored. */
  close(settlements: readonly Settlement[]): Promise<void>;
  /** A CallRequested without a slot (restored database): slot and reservation are made without asking the limits. */
  ensure(slot: Slot, pricePerMinute: CreditUnits): Promise<void>;
  /** Open slots that somebody must look at by `now`, the longest due first. */
  dueLooks(now: Instant, limit: number): Promise<readonly Slot[]>;
  /** When the next look at these calls is due (closed ones are ignored). */
  setNextLooks(looks: readonly { readonly callId: CallId; readonly at: Instant }[]): Promise<void>;
  /** The earliest next look of all open slots. */
  nextLookAt(): Promise<Instant | null>;
  account(owner: OwnerId): Promise<Account>;
  /** Once per (owner, reference). */
  topUp(owner: OwnerId, amount: CreditUnits, reference: string): Promise<Account>;
  /** Says who could go on. Calls the listener soon after the commit that made it so, also when it happened in another process. */
  onWake(listener: (wake: Wake) => void): () => void;
  /** This campaign wants nothing for now (paused, done): its demand no longer counts for the share. */
  withdrawDemand(campaignId: CampaignId): Promise<void>;
}

/** One row of the ledger. reserve and release move `reserved`; top_up and charge move `balance`, which may fall below 0. */
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
