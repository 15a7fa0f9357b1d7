import type { CallId, CampaignId, ContactId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";

/** A search hit. `title`: the text by which a person recognises it. */
export type SearchHit<Id extends string = string> = {
  readonly id: Id;
  readonly title: string;
  /** For contacts, and for calls of a campaign. */
  readonly campaignId?: CampaignId;
  readonly at: Instant;
};

export const SEARCH_KINDS = ["campaigns", "contacts", "calls", "squads"] as const;
/** What can be found. */
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Newest first, at most SEARCH_HITS each; kinds that were not asked for are empty. */
export type SearchRecord = {
  readonly campaigns: readonly SearchHit<CampaignId>[];
  readonly contacts: readonly SearchHit<ContactId>[];
  readonly calls: readonly SearchHit<CallId>[];
  readonly squads: readonly SearchHit<SquadId>[];
};

export const SEARCH_HITS = 10;
