import type { Page, PageRequest } from "../application/ports/queries/pages.ts";
import { validationError } from "./errors.ts";

export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** Converts the key of a list's last row to text and back; a key of another form is refused. */
export type CursorKey<Key> = {
  readonly list: string;
  readonly parse: (text: string) => Key | null;
};

export const DEFAULT_LIMIT = 50;

/** Cursors contain the name of their list, so that one of another list is refused. */
export function pageRequest<Key extends string | number>(
  { list, parse }: CursorKey<Key>,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
): PageRequest<Key> {
  if (cursor === undefined) return { limit, after: null };
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const key = text.startsWith(`${list}:`) ? parse(text.slice(list.length + 1)) : null;
  if (key === null || encode(list, key) !== cursor) {
    throw validationError("The query", [
      { path: ["cursor"], message: "Must be the nextCursor of this list" },
    ]);
  }
  return { limit, after: key };
}

export function listAnswer<Row, Key extends string | number>(
  { list }: CursorKey<Key>,
  { limit }: PageRequest<Key>,
  { rows, next }: Page<Row, Key>,
) {
  return {
    success: true as const,
    data: rows,
    pagination: { limit, nextCursor: next === null ? null : encode(list, next) },
  };
}

function encode(list: string, key: string | number): string {
  return Buffer.from(`${list}:${key}`, "utf8").toString("base64url");
}

/** A whole number as a key: revisions, versions, indexes in an import. */
export function parseWhole(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
