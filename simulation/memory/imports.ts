import type { Imports } from "../../application/ports/imports.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export function createMemoryImports(): Imports {
  const unsealed = new Map<ImportId, { readonly campaignId: CampaignId; readonly at: Instant }>();
  const sealed = new Set<ImportId>();
  return {
    begin: async ({ importId, campaignId, at }) => {
      if (!sealed.has(importId) && !unsealed.has(importId)) unsealed.set(importId, { campaignId, at });
    },
    sealed: async (importId) => {
      sealed.add(importId);
      unsealed.delete(importId);
    },
    unsealedSince: async (before, limit) =>
      [...unsealed]
        .filter(([, { at }]) => at < before)
        .sort(([, a], [, b]) => (a.at < b.at ? -1 : 1))
        .slice(0, limit)
        .map(([importId, { campaignId }]) => ({ importId, campaignId })),
  };
}
