import type { SearchHit, SearchRecord } from "../../../../contract/search.ts";

export type Kind = keyof SearchRecord;
export const KINDS = [
  "campaigns",
  "contacts",
  "calls",
  "assistants",
  "squads",
  "phoneNumbers",
] as const satisfies readonly Kind[];

/** The page of a hit; null: none. */
export function pathOf(kind: Kind, { id, campaignId }: Pick<SearchHit, "id" | "campaignId">): string | null {
  switch (kind) {
    case "campaigns":
      return `/campaigns/${id}`;
    case "contacts":
      return campaignId === undefined ? null : `/campaigns/${campaignId}?contact=${id}`;
    case "calls":
      return `/calls/${id}`;
    case "assistants":
      return `/assistants/${id}`;
    case "squads":
      return `/squads/${id}`;
    case "phoneNumbers":
      return "/phone-numbers";
  }
}

/** A complete telephone number in the typed text; null: there is none. */
export function numberIn(q: string): string | null {
  const digits = q.replaceAll(/[\s()./\p{Pd}]/gu, "");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
