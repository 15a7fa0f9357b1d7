import type { Imports } from "../../application/ports/imports.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { MemorySubjectKeys } from "./subject-keys.ts";

/** In `keys` each campaign gets its own before its first contact. */
export function createMemoryImports(keys: Pick<MemorySubjectKeys, "draw" | "remember">): Imports {
  const unsealed = new Map<ImportId, { readonly campaignId: CampaignId; readonly at: Instant }>();
  const sealed = new Set<ImportId>();
  return {
    begin: async ({ importId, campaignId, owner, at }) => {
      keys.remember([keys.draw(campaignId, owner)]);
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
