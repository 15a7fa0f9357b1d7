/**
 * A spreadsheet takes a cell for a formula if it begins with = + - @, also after white space or invisible
 * characters, and also for full-width signs. A `'` before it makes it text. Apostrophes at the start count as
 * part of the text, so that removing a guard restores the original.
 */
const SIGN = "[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b\\u2212]";
const UNSEEN = "[\\s\\p{C}\\p{Z}\\p{M}\\p{Default_Ignorable_Code_Point}]";
const FORMULA = new RegExp(`^'*${UNSEEN}*${SIGN}`, "u");
/**
 * A program that separates cells at another character than the comma, or does not know quotes, begins a cell
 * within the text: there too a formula is guarded.
 */
const SEPARATORS = /(?<=[;,\t\r\n])/;
const INNER = new RegExp(`^'*(?:"|(?![\\t\\r\\n])${UNSEEN})*${SIGN}`, "u");

/** For texts of users in a download. */
export function guarded(text: string): string {
  return inner(FORMULA.test(text) ? `'${text}` : text, (part) => (INNER.test(part) ? `'${part}` : part));
}

/** The reverse: removes what `guarded` adds. */
export function unguarded(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = inner(cell, (part) => (part.startsWith("'") && INNER.test(part) ? part.slice(1) : part));
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** Changes the parts of a text that begin after a separator. */
function inner(text: string, change: (part: string) => string): string {
  const [first = "", ...parts] = text.split(SEPARATORS);
  return parts.length === 0 ? text : first + parts.map(change).join("");
}

/** A cell with a user's text, always in quotes. */
export function textCell(text: string): string {
  return quoted(guarded(text));
}

/**
 * A cell with a JSON text: what could begin a formula in one of its strings is written as an escape, so that
 * the JSON stays what it is.
 */
export function jsonCell(json: string): string {
  return quoted(
    json.replaceAll(JSON_STRING, (_all, before: string, string: string) => before + escaped(before + string)),
  );
}

const JSON_STRING = /(,?)("(?:[^"\\]|\\.)*")/g;
const IN_JSON = new RegExp(`([;,](?:\\\\"|"|${UNSEEN})*)(${SIGN})`, "gu");

function escaped(text: string): string {
  const safe = text.replaceAll(IN_JSON, (_all, before: string, sign: string) => {
    return `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return safe.startsWith(",") ? safe.slice(1) : safe;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
