import { digitsOf, LINE, wordsOf } from "../../domain/shared/search-text.ts";

export type BlockEntry = { readonly id: string; readonly number: string; readonly name: string | null };

/** The texts of some entries, a line each, all in the same order. */
export type TextBlock = {
  readonly first_id: string;
  readonly last_id: string;
  readonly digits: string;
  readonly words: string;
  readonly ids: string;
  /** JSON of [number, name] of each. */
  readonly entries: string;
};

export function textBlock(given: readonly BlockEntry[]): TextBlock {
  const entries = given.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    first_id: entries[0]?.id ?? "",
    last_id: entries.at(-1)?.id ?? "",
    digits: entries.map(({ number }) => digitsOf(number)).join(LINE),
    words: entries.map(({ name }) => wordsOf(name)).join(LINE),
    ids: entries.map(({ id }) => id).join(LINE),
    entries: JSON.stringify(entries.map(({ number, name }) => [number, name])),
  };
}
