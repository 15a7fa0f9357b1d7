import type { CarrierKind } from "../call/carrier-identity.ts";
import type { ConsentTimes } from "../policy/policy.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";

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
  readonly candidates: readonly {
    readonly callId: CallId;
    readonly phoneNumber: PhoneNumber;
    readonly windowClosesAt: Instant | null;
    /** IANA zone of the person; null or absent: not given, the zones of the number's country count. */
    readonly timezone?: string | null;
    /** null or absent: the person has given none. */
    readonly consent?: ConsentTimes | null;
    /** Whoever is asked before each dial has allowed it; absent: nobody was asked. */
    readonly isAsked?: boolean;
  }[];
  readonly pricePerMinute: CreditUnits;
  /** The campaign's own limit; null: only the plan's. */
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  /** null: only plan and campaign limit it. */
  readonly connection: ConnectionTurn | null;
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

/** The slot of a call that is in the log and has none. */
export type LostSlot = Slot & { readonly phoneNumber: PhoneNumber };

/** A dial that may still begin: the call's CallDialingBegan comes until `dialBy`, or never. */
export type DialIntent = Pick<Slot, "callId" | "dialBy">;

/** `unused`: the grant became no dial, and counts towards no cap. */
export type Settlement = { readonly callId: CallId; readonly cost: CreditUnits; readonly unused?: boolean };

/** A dial that is judged by its owner's policy without taking anything. */
export type DialToJudge = {
  readonly owner: OwnerId;
  /** Its own slot and dial, if it has them, do not count against it. */
  readonly callId: CallId;
  readonly phoneNumber: PhoneNumber;
  readonly isSingle: boolean;
  /** Counts where its slot has none. */
  readonly timezone: string | null;
  /** null or absent: the person has given none. */
  readonly consent?: ConsentTimes | null;
  /** Whoever is asked before each dial has allowed it, or is asked later; absent: nobody was asked. */
  readonly isAsked?: boolean;
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
