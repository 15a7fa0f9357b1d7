/**
 * `after`: the key of the last row of the page before (its `next`), whose form the API has checked; null: the
 * first page. `limit` 1..200.
 */
export type PageRequest<Key> = { readonly limit: number; readonly after: Key | null };

/** `next` null: there is no further page. */
export type Page<Row, Key> = { readonly rows: readonly Row[]; readonly next: Key | null };
