import { type CsvRecord, csvRecords } from "./csv-records.ts";
import { unguarded } from "./formula-guard.ts";

const DELIMITERS = [",", ";", "\t", "|", "^"];

/** Excel's own first line, which names the delimiter. */
const DECLARED = /^"?sep=([^\r\n"])"?[,;\t ]*(?=[\r\n]|$)/i;

/** Records of a contact file with the texts that their cells mean; also what the dashboard previews. */
export function* contactRecords(text: string): Generator<CsvRecord, void> {
  const { delimiter, isDeclared } = delimiterOf(text);
  const records = csvRecords(text, delimiter);
  for (const { line, cells } of isDeclared ? records.drop(1) : records)
    yield { line, cells: cells?.map(meantText) ?? null };
}

/** Of a file that begins so; declared: its first record only names it. */
export function delimiterOf(text: string): { readonly delimiter: string; readonly isDeclared: boolean } {
  const declared = DECLARED.exec(text)?.[1];
  return { delimiter: declared ?? likelyDelimiter(text), isDeclared: declared !== undefined };
}

/** Excel writes a text of digits as a formula, too: `="+905321112233"`. */
export function meantText(cell: string): string {
  const text = cell.startsWith("=") ? /^="([^"]*)"$/.exec(cell)?.[1] : undefined;
  return text === undefined ? unguarded(cell) : text.trim();
}

/** The most frequent one in the first line outside of quotes; a comma if there is none. */
function likelyDelimiter(text: string): string {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const character of text.trimStart()) {
    if (character === '"') quoted = !quoted;
    else if ((character === "\n" || character === "\r") && !quoted) break;
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const countOf = (delimiter: string) => counts.get(delimiter) ?? 0;
  return DELIMITERS.reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}
