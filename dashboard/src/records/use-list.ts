import { useInfiniteQuery } from "@tanstack/react-query";
import type { ParamsOf, PathsOf, QueryOf, RouteAt } from "../../../contract/asking.ts";
import { filled, pageOf } from "../api/request.ts";

type Listed<Path extends PathsOf<"GET">> = {
  readonly query?: QueryOf<RouteAt<"GET", Path>>;
  readonly params?: ParamsOf<RouteAt<"GET", Path>>;
  readonly enabled?: boolean;
};

/**
 * A list of the API, loaded page by page. With another filter the old rows stay until the new ones arrive, so
 * that the filter keeps its focus.
 */
export function useList<Path extends PathsOf<"GET">>(
  path: Path,
  { query, params, enabled = true }: Listed<Path> = {},
) {
  const at = filled(path, params);
  const found = useInfiniteQuery({
    queryKey: [at, query],
    queryFn: async ({ pageParam: cursor, signal }) => pageOf(path, cursor, { params, query, signal }),
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    placeholderData: (before, of) => (of?.queryKey[0] === at ? before : undefined),
    enabled,
  });
  const rows = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return { ...found, rows };
}

/** All rows of a short list (one page of 200). */
export const ALL = { limit: 200 };
