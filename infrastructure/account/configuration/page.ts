import type { Page } from "../../../application/ports/queries/pages.ts";

/** A page of rows that were read with one more than `limit`, to know whether there is a next page. */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): Page<Row, Key> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}

export function mapPage<From, To, Key>(page: Page<From, Key>, map: (row: From) => To): Page<To, Key> {
  return { rows: page.rows.map(map), next: page.next };
}
