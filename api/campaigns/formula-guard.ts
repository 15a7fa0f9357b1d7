/**
 * A spreadsheet takes a cell for a formula that begins with = + - @, also with white space or characters that nobody sees before it, and also when
 * the sign is a full-width one. A `'` before it makes it text. Apostrophes that stand there already are counted as part of the text, so that a guard
 * that is taken away again leaves what was there before.
 */
const FORMULA =
  /^'*[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]/u;

/** For people's own texts on their way out. */
export function guarded(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The other way: takes one guard away. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
