import type { SuppressionHistoryRecord, SuppressionRecord } from "../../../contract/suppression.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made } from "./saved.ts";

/** How many changes of a number are answered. */
export const SHOWN_CHANGES = 100;

/**
 * heard_again: nothing was changed, because a call that is not among the revoked ones asked for the number's
 * entry meanwhile.
 */
export type TakenOff = "taken_off" | "not_listed" | "heard_again";

/**
 * The owner's do-not-call list. Lists: newest first; the cursor is a separate number. A new entry, its line
 * in the history of its number and its webhook are one transaction.
 */
export interface Suppressions {
  /** A number that is listed already keeps its first entry. `by`: id of the API key. */
  add(
    owner: OwnerId,
    phoneNumber: PhoneNumber,
    reason: string | null,
    by: string,
  ): Promise<Made<SuppressionRecord>>;
  /** All of them with their reasons, or none, with the source `import`; returns how many were new. */
  addAll(owner: OwnerId, reasons: ReadonlyMap<PhoneNumber, string | null>, by: string): Promise<number>;
  /** `phoneNumber`: only its entry. */
  list(
    owner: OwnerId,
    page: PageRequest<number>,
    phoneNumber?: PhoneNumber,
  ): Promise<Page<SuppressionRecord, number>>;
  /** With its newest changes, also of a number that was taken off; null: it was never listed. */
  get(owner: OwnerId, phoneNumber: PhoneNumber): Promise<SuppressionHistoryRecord | null>;
  /** `revoked`: the calls of `OptOuts.unrevoked`; they are known as revoked from then on. */
  takeOff(
    owner: OwnerId,
    phoneNumber: PhoneNumber,
    by: string,
    revoked: readonly CallId[],
  ): Promise<TakenOff>;
}
