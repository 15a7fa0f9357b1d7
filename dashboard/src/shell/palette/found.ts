import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../../api/request.ts";

/** One line of the palette. */
export type Item = {
  readonly key: string;
  readonly text: string;
  /** The group of the item, for screen readers. */
  readonly group: string;
  /** Written by a user. */
  readonly isForeign: boolean;
  readonly run: () => void;
};

const SHORTEST = 3;
const LONGEST = 100;

export const isSearched = (q: string): boolean => q.length >= SHORTEST && q.length <= LONGEST;

/** Finds names and numbers of all records while the user types. */
export function useFound(q: string) {
  return useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => get("/api/v1/search", { query: { q }, signal }),
    enabled: isSearched(q),
    placeholderData: keepPreviousData,
  });
}
