import type { ListOfNumber, SuppressionListRecord } from "../../../contract/suppression-list.ts";
import type { OwnerId, SuppressionListId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made, Saved } from "./saved.ts";

/** Of an owner, beside the do-not-call list. */
export const MAX_SUPPRESSION_LISTS = 100;

/** The do-not-call list (`Suppressions`), as one of the lists. */
export const DEFAULT_LIST: SuppressionListId = "spl_default";

export type SuppressionListDraft = Pick<SuppressionListRecord, "name" | "kind" | "active">;

/** default: it is the do-not-call list. */
type ListRefusal = { readonly reason: "not_found" | "default" };
/** kind: it never changes. */
type ListChangeRefusal = ListRefusal | { readonly reason: "kind" };

/**
 * Lists of numbers that are not called, without their numbers. `by`: id of the API key. The do-not-call list
 * comes first, the others newest first. A change and the row of its event are one transaction.
 */
export interface SuppressionListRecords {
  /** null: the owner has the most already. */
  create(
    owner: OwnerId,
    id: SuppressionListId,
    draft: SuppressionListDraft,
    by: string,
  ): Promise<Made<SuppressionListRecord> | null>;
  get(owner: OwnerId, id: SuppressionListId): Promise<SuppressionListRecord | null>;
  list(
    owner: OwnerId,
    page: PageRequest<SuppressionListId>,
  ): Promise<Page<SuppressionListRecord, SuppressionListId>>;
  /** Active lists that have the number, the do-not-call list first. */
  holding(owner: OwnerId, phoneNumber: PhoneNumber): Promise<readonly ListOfNumber[]>;
  change(
    owner: OwnerId,
    id: SuppressionListId,
    changes: Partial<SuppressionListDraft>,
    by: string,
  ): Promise<Saved<SuppressionListRecord, ListChangeRefusal>>;
  delete(owner: OwnerId, id: SuppressionListId, by: string): Promise<Saved<null, ListRefusal>>;
}
