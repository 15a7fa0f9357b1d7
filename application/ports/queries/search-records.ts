import type { SearchRecord } from "../../../contract/search.ts";

/** What the read models find. */
export type SearchKind = Exclude<keyof SearchRecord, "assistants" | "phoneNumbers">;

/** Newest first, at most SEARCH_HITS each; kinds that were not asked for are empty. */
export type FoundRecords = Pick<SearchRecord, SearchKind>;

export const SEARCH_HITS = 10;
