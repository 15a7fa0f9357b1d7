/** A search: digits within a number, or the beginning of a word of a name. */
export type SearchText =
  | { readonly kind: "digits"; readonly text: string }
  | { readonly kind: "words"; readonly text: string };

/** An entry is a line, so it contains no line end. */
export const LINE = "\n";

export function searchText(asked: string): SearchText {
  const digits = asked.replaceAll(/[\s+()./-]/g, "");
  return /^\d+$/.test(digits) ? { kind: "digits", text: digits } : { kind: "words", text: wordsOf(asked) };
}

/** A name in the form that is searched: folded, each word with a space before it. */
export function wordsOf(name: string | null): string {
  const words = folded(name ?? "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => ` ${word}`).join("");
}

export function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, "");
}

type Searched = { readonly name: string | null; readonly number: string };

/** The same rule as in the stored blocks, for entries in memory. */
export function matcherOf({ kind, text }: SearchText): (entry: Searched) => boolean {
  return kind === "digits"
    ? ({ number }) => digitsOf(number).includes(text)
    : ({ name }) => wordsOf(name).includes(text);
}

/** One case, diacritics removed (İ and i are equal), white space as one space. */
export function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll(/\s+/g, " ");
}
