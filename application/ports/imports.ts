import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/**
 * work.imports: written before the first chunk, so that an import without its seal can be abandoned after 24
 * h (docs/architecture.md §2).
 */
export interface Imports {
  /** Durable when it resolves, and with it the key that the campaign's contacts are encrypted with. */
  begin(row: {
    readonly importId: ImportId;
    readonly campaignId: CampaignId;
    readonly owner: string;
    readonly at: Instant;
  }): Promise<void>;
  sealed(importId: ImportId): Promise<void>;
  unsealedSince(
    before: Instant,
    limit: number,
  ): Promise<readonly { readonly importId: ImportId; readonly campaignId: CampaignId }[]>;
}
