import type { Account, Admitted, RefusedByPolicy } from "../../domain/admission/grants.ts";
import type {
  AdmissionRequest,
  ConnectionTurn,
  DialIntent,
  DialToJudge,
  LostSlot,
  Settlement,
  Slot,
  Wake,
} from "../../domain/admission/requests.ts";
import type { CreditUnits } from "../../domain/shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/**
 * Slots, pace and credits of the owners, each change in one transaction (docs/architecture.md §3.2, §4).
 * The PostgreSQL and the in-memory form pass the same suite (test/contracts/admission). The plan
 * (concurrency, pace, active) belongs to the owner. `owner.live` and `reserved` always change in the same
 * transaction as the slot rows.
 */
export interface Admission {
  /**
   * Takes slots and reserves the price of a minute for as many candidates as allowed, in order; whom the
   * owner's policy refuses stands in `byPolicy`, and takes nothing. The first look is due at dialAt if that
   * is in the future, else at dialBy. An open slot of a callId is granted again unchanged, with its evidence;
   * a closed one (kept 24 h) is refused as `closed`. Every grant counts as a dial of its number.
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
   * Frees the slot, releases the reservation and charges the cost, and takes an unused dial back: once for
   * each callId, however often and by whom it is called. Unknown callIds are ignored.
   */
  close(settlements: readonly Settlement[]): Promise<void>;
  /**
   * A CallRequested is in the log: its call may be named as the one that holds others. Without a slot
   * (restored database): makes slot and reservation without checking limits.
   */
  ensure(slot: LostSlot, pricePerMinute: CreditUnits): Promise<void>;
  /** Judges a dial by its owner's policy as it is now, and takes nothing; null: it may begin. */
  judge(dial: DialToJudge): Promise<RefusedByPolicy | null>;
  /**
   * Open slots of the owner for this number: every dial of it that may begin has one, written before the
   * do-not-call list is read for it. Also those of calls that have begun, and of numbers that are not known.
   */
  openIntents(owner: OwnerId, phoneNumber: PhoneNumber): Promise<readonly DialIntent[]>;
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
