import type { LedgerEntry } from "../../../domain/admission/grants.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";

/**
 * All movements of an owner's credits, newest first; `after` is the id of an entry. Amounts in credit units.
 */
export interface Ledger {
  list(owner: OwnerId, page: PageRequest<LedgerEntry["id"]>): Promise<Page<LedgerEntry, LedgerEntry["id"]>>;
}
