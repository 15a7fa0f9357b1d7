import type { CallId, CampaignId, ContactId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";

/** What a search found. `title`: what a person knows it by. */
export type SearchHit<Id extends string = string> = {
  readonly id: Id;
  readonly title: string;
  /** Of contacts and calls of a campaign. */
  readonly campaignId?: CampaignId;
  readonly at: Instant;
};

export const SEARCH_KINDS = ["campaigns", "contacts", "calls", "squads"] as const;
/** What is found in the events. */
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Newest first, each at most SEARCH_HITS; a kind that was not asked for is empty. */
export type SearchRecord = {
  readonly campaigns: readonly SearchHit<CampaignId>[];
  readonly contacts: readonly SearchHit<ContactId>[];
  readonly calls: readonly SearchHit<CallId>[];
  readonly squads: readonly SearchHit<SquadId>[];
};

export const SEARCH_HITS = 10;
