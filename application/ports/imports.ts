import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/**
 * work.imports: written before the first chunk, so that an import without its seal can be abandoned after 24
 * h (docs/architecture.md §2).
 */
export interface Imports {
  begin(row: {
    readonly importId: ImportId;
    readonly campaignId: CampaignId;
    readonly at: Instant;
  }): Promise<void>;
  sealed(importId: ImportId): Promise<void>;
  unsealedSince(
    before: Instant,
    limit: number,
  ): Promise<readonly { readonly importId: ImportId; readonly campaignId: CampaignId }[]>;
}
