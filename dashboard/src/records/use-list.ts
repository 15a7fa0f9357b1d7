import { useInfiniteQuery } from "@tanstack/react-query";
import type { DataOf, ParamsOf, PathsOf, QueryOf, RouteAt } from "../../../contract/asking.ts";
import { query, request } from "../api/request.ts";
import { filled } from "../api/typed.ts";

type Wanted = Readonly<Record<string, string | number | undefined>>;

/**
 * A list of the API, loaded page by page. With another filter the old rows stay until the new ones arrive, so
 * that the filter keeps its focus.
 */
export function useList<Row>(path: string, wanted: Wanted = {}, { enabled = true } = {}) {
  const found = useInfiniteQuery({
    queryKey: [path, wanted],
    queryFn: async ({ pageParam, signal }) =>
      request<readonly Row[]>("GET", `${path}${query({ ...wanted, cursor: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    placeholderData: (before, of) => (of?.queryKey[0] === path ? before : undefined),
    enabled,
  });
  const rows = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return { ...found, rows };
}

type RowOf<Path extends PathsOf<"GET">> =
  DataOf<RouteAt<"GET", Path>> extends readonly (infer Row)[] ? Row : never;

type Listed<Path extends PathsOf<"GET">> = {
  readonly query?: QueryOf<RouteAt<"GET", Path>>;
  readonly params?: ParamsOf<RouteAt<"GET", Path>>;
  readonly enabled?: boolean;
};

/**
 * A list of the API, loaded page by page. With another filter the old rows stay until the new ones arrive, so
 * that the filter keeps its focus.
 */
export function useListOf<Path extends PathsOf<"GET">>(
  path: Path,
  { query: wanted, params, enabled = true }: Listed<Path> = {},
) {
  const at = filled(path, params);
  const found = useInfiniteQuery({
    queryKey: [at, wanted],
    queryFn: async ({ pageParam: cursor, signal }) =>
      request<readonly RowOf<Path>[]>("GET", `${at}${query({ ...wanted, cursor })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    placeholderData: (before, of) => (of?.queryKey[0] === at ? before : undefined),
    enabled,
  });
  const rows = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return { ...found, rows };
}

/** All rows of a short list (one page of 200). */
export const ALL = { limit: 200 };
