import type { SuppressionRecord } from "../../../contract/suppression.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made } from "./saved.ts";

/** The owner's do-not-call list. Lists: newest first; the cursor is a separate number. */
export interface Suppressions {
  /** A number that is listed already keeps its first entry. `by`: id of the API key. */
  add(
    owner: OwnerId,
    phoneNumber: PhoneNumber,
    reason: string | null,
    by: string,
  ): Promise<Made<SuppressionRecord>>;
  /** All of them with their reasons, or none; returns how many were new. */
  addAll(owner: OwnerId, reasons: ReadonlyMap<PhoneNumber, string | null>, by: string): Promise<number>;
  list(owner: OwnerId, page: PageRequest<number>): Promise<Page<SuppressionRecord, number>>;
  /** False: it was not listed. */
  delete(owner: OwnerId, phoneNumber: PhoneNumber): Promise<boolean>;
}
