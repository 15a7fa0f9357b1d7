/**
 * A spreadsheet takes a cell for a formula if it begins with = + - @, also after white space or invisible
 * characters, and also for full-width signs. A `'` before it makes it text. Apostrophes at the start count as
 * part of the text, so that removing a guard restores the original.
 */
const FORMULA =
  /^'*[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]/u;

/** For texts of users in a download. */
export function guarded(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The reverse: removes one guard. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
