import type { RegistryLists } from "../policy/list-age.ts";
import type { PolicyInForce } from "../policy/policy.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../shared/ids.ts";
import type { LedgerEntry } from "./grants.ts";
import type { DialRow, NumberBook } from "./number-book.ts";
import type { SharedBook } from "./shared-book.ts";
import type { Demand, Millis, Plan, SlotRow } from "./slots.ts";

/**
 * One owner's row and its campaigns, as held by one transaction. The functions of this
 * folder change it in place.
 */
export type OwnerBook = {
  readonly owner: OwnerId;
  /** null: no such owner. */
  readonly plan: Plan | null;
  readonly active: boolean;
  /** null: it never had one. */
  readonly policy: PolicyInForce | null;
  /** Read where the policy asks for them; else as if there were none. */
  readonly lists: RegistryLists;
  live: number;
  balance: CreditUnits;
  reserved: CreditUnits;
  /** First free turn of the plan's pace. */
  nextTurn: Millis;
  /** Turns at or after `nextTurn` that a campaign's own pace has taken, ascending. */
  readonly pacedTurns: Millis[];
  /** Up to here there may be such turns. */
  pacedUntil: Millis;
  readonly demands: Map<CampaignId, Demand>;
  /** The resources that all owners share. */
  readonly shared: SharedBook;
};

export type LedgerRow = Omit<LedgerEntry, "id" | "at"> & { readonly owner: OwnerId; readonly at: Millis };

/** What a group of operations reads and then writes, in one transaction. */
export type Books = {
  readonly now: Millis;
  /** Version of this machine's rules of time zones, for the evidence. */
  readonly tzdata: string;
  readonly owners: Map<OwnerId, OwnerBook>;
  readonly shared: SharedBook;
  readonly slots: Map<CallId, SlotRow>;
  /** Calls without a slot row that reserved before: their row was closed more than 24 h ago. */
  readonly reservedBefore: ReadonlySet<CallId>;
  /** `referenceKey` of top-ups that were booked. */
  readonly references: Set<string>;
  /** By `numberKey`: numbers of the candidates whose owner's policy asks for them, and those just dialled. */
  readonly numbers: Map<string, NumberBook>;
  readonly opened: SlotRow[];
  readonly closed: SlotRow[];
  /** Dials that count from now on. */
  readonly dialled: DialRow[];
  /** Those that do not count any more. */
  readonly undialled: DialRow[];
  readonly ledger: LedgerRow[];
};

export function referenceKey(owner: OwnerId, reference: string): string {
  return `${owner} ${reference}`;
}

export function availableCredits(book: OwnerBook): CreditUnits {
  return book.balance - book.reserved;
}

/** The campaign's row; a new one wants nothing. */
export function demandOf(book: OwnerBook, campaignId: CampaignId, now: Millis): Demand {
  const known = book.demands.get(campaignId);
  if (known !== undefined) return known;
  const made: Demand = {
    campaignId,
    live: 0,
    wanted: 0,
    cap: null,
    perSecond: null,
    nextTurn: 0,
    lastGrant: now,
    until: now,
    creditsWanted: null,
    connection: null,
    waitsFor: null,
  };
  book.demands.set(campaignId, made);
  return made;
}

/** One movement of credits, with the amounts after it. Nothing is written for an amount of 0. */
export function enter(
  books: Books,
  book: OwnerBook,
  cause: LedgerRow["cause"],
  amount: CreditUnits,
  of: { readonly callId: CallId } | { readonly reference: string },
): void {
  if (amount === 0) return;
  if (cause === "reserve") book.reserved += amount;
  if (cause === "release") book.reserved -= amount;
  if (cause === "charge") book.balance -= amount;
  if (cause === "top_up") book.balance += amount;
  books.ledger.push({
    owner: book.owner,
    at: books.now,
    cause,
    amount,
    balance: book.balance,
    reserved: book.reserved,
    callId: "callId" in of ? of.callId : null,
    reference: "reference" in of ? of.reference : null,
  });
}
