import type { HttpResponse } from "./transport.ts";

type Page<Row> = {
  readonly data: readonly Row[];
  readonly pagination: { readonly nextCursor: string | null };
};

export type PageQuery = { readonly limit: number; readonly cursor?: string };

/**
 * Every row of a list, page after page, each requested when it is needed:
 *
 *     for await (const call of paginate((page) => client.calls.listCalls({ ...page, status: "failed" }))) …
 *
 * A page has 200 rows unless `limit` is set (1 to 200). New rows never repeat or skip a row.
 */
export async function* paginate<Row>(
  list: (page: PageQuery) => Promise<HttpResponse<Page<Row>>>,
  limit = 200,
): AsyncGenerator<Row, void> {
  let query: PageQuery = { limit };
  for (;;) {
    const { data, pagination } = (await list(query)).data;
    yield* data;
    if (pagination.nextCursor === null) return;
    query = { limit, cursor: pagination.nextCursor };
  }
}
