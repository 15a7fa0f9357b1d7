import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, query } from "../../api/request.ts";

type Hit = { readonly id: string; readonly title: string; readonly campaignId?: string; readonly at: string };
export const KINDS = ["campaigns", "contacts", "calls", "assistants", "squads", "phoneNumbers"] as const;
export type Kind = (typeof KINDS)[number];
type Found = Readonly<Record<Kind, readonly Hit[]>>;

/** One line of the palette. */
export type Item = {
  readonly key: string;
  readonly text: string;
  /** What it is of, for whoever reads it alone. */
  readonly group: string;
  /** A user wrote it. */
  readonly isForeign: boolean;
  readonly run: () => void;
};

const SHORTEST = 3;
const LONGEST = 100;

export const isSearched = (q: string): boolean => q.length >= SHORTEST && q.length <= LONGEST;

/** Names and numbers of everything, as they are typed. */
export function useFound(q: string) {
  return useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => get<Found>(`/api/v1/search${query({ q })}`, signal),
    enabled: isSearched(q),
    placeholderData: keepPreviousData,
  });
}

/** Where a hit is looked at; null: nowhere. */
export function pathOf(kind: Kind, { id, campaignId }: Hit): string | null {
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

/** A whole telephone number in what was typed; null: there is none. */
export function numberIn(q: string): string | null {
  const digits = q.replaceAll(/[\s()-]/g, "");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
