/** A record of a file, and the line of its first character. `cells` is null: it cannot be read. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] | null };
/** With where the text goes on behind it, and the number of that line. */
export type PlacedRecord = CsvRecord & {
  readonly isEmpty: boolean;
  readonly end: number;
  readonly nextLine: number;
};

/** No contact may have a longer cell, so a quote that is never closed takes no more of the file with it. */
export const LONGEST_CELL = 64 * 1024;
/** More cells than any header may have are not kept. */
const MOST_CELLS = 501;

/**
 * Records in order, their cells trimmed; empty lines are skipped. Quotes are read as RFC 4180 has them, and
 * line ends in a quoted cell stay as they are. Besides: a quote within a cell that begins without one is text
 * (`TV 55"`), and so is one within a quoted cell of one line (`"TV 55" flat"`, `"\"Bob\""`). A quoted cell of
 * several lines with such a quote, or without an end, cannot be read: its record ends with the line on which
 * that cell begins, so that no row hides in a cell of another one. So does that of a cell of more than 64 Ki
 * characters. The work is linear.
 */
export function* csvRecords(text: string, delimiter: string): Generator<CsvRecord, void> {
  for (const { line, cells, isEmpty } of placedRecords(text, delimiter)) if (!isEmpty) yield { line, cells };
}

/** The same with its empty lines. What is farther behind a record than a cell may be long decides nothing. */
export function* placedRecords(text: string, delimiter: string): Generator<PlacedRecord, void> {
  const nextOdd = createNextOdd(text);
  let position = 0;
  let line = 1;
  while (position < text.length) {
    const { cells, end: lineEnd, lineEnds } = readRecord({ text, delimiter, nextOdd }, position);
    const isEmpty = cells?.length === 1 && cells[0] === "" && text[position] !== '"';
    const end = afterLineEnd(text, lineEnd);
    const nextLine = line + lineEnds + 1;
    yield { line, cells, isEmpty, end, nextLine };
    line = nextLine;
    position = end;
  }
}

type Source = {
  readonly text: string;
  readonly delimiter: string;
  readonly nextOdd: (position: number) => number;
};
type ReadCell = { readonly cell: string | null; readonly end: number; readonly lineEnds: number };
type ReadRecord = { readonly cells: string[] | null; readonly end: number; readonly lineEnds: number };

/** `end`: the place of the line end, or of the end of the file. */
function readRecord(source: Source, start: number): ReadRecord {
  const { text, delimiter } = source;
  const cells: string[] = [];
  let position = start;
  let lineEnds = 0;
  for (;;) {
    const quote = afterBlanks(text, delimiter, position);
    const read = text[quote] === '"' ? quotedCell(source, quote) : plainCell(source, position);
    if (read.cell === null) return { cells: null, end: endOfLine(text, quote), lineEnds };
    if (cells.length < MOST_CELLS) cells.push(read.cell);
    lineEnds += read.lineEnds;
    if (text[read.end] !== delimiter) return { cells, end: read.end, lineEnds };
    position = read.end + 1;
  }
}

function plainCell({ text, delimiter }: Source, start: number): ReadCell {
  let end = start;
  while (!isEnd(text, delimiter, end)) end += 1;
  if (end - start > LONGEST_CELL) return UNREADABLE;
  return { cell: text.slice(start, end).trim(), end, lineEnds: 0 };
}

/** The part on its first line; what goes on is read as `laterLines`. */
function quotedCell(source: Source, quote: number): ReadCell {
  const { text, delimiter } = source;
  let cell = "";
  let from = quote + 1;
  let hasStray = false;
  let hasEscape = false;
  const most = Math.min(text.length, quote + LONGEST_CELL + 1);
  for (let position = from; position < most; position += 1) {
    const character = text[position];
    if (character === "\n" || character === "\r")
      return hasStray ? UNREADABLE : laterLines(source, quote, cell + text.slice(from, position), position);
    if (character !== '"') continue;
    const isEscaped = position > from && text[position - 1] === "\\";
    const closesNext = hasEscape && isEscaped && isEnd(text, delimiter, position + 2);
    if (text[position + 1] === '"' && !closesNext) {
      cell += text.slice(from, position);
      position += 1;
      from = position;
      continue;
    }
    const end = afterBlanks(text, delimiter, position + 1);
    if (isEnd(text, delimiter, end))
      return { cell: (cell + text.slice(from, position)).trim(), end, lineEnds: 0 };
    hasStray = true;
    hasEscape ||= isEscaped;
    cell += text.slice(from, isEscaped ? position - 1 : position);
    from = position;
  }
  return UNREADABLE;
}

const UNREADABLE: ReadCell = { cell: null, end: 0, lineEnds: 0 };

/** `begun`: what the cell has on its first line, which ends at `start`. */
function laterLines(
  { text, delimiter, nextOdd }: Source,
  quote: number,
  begun: string,
  start: number,
): ReadCell {
  const closing = nextOdd(start);
  const end = afterBlanks(text, delimiter, closing + 1);
  if (closing - quote > LONGEST_CELL || closing === text.length || !isEnd(text, delimiter, end))
    return UNREADABLE;
  const rest = text.slice(start, closing);
  const lineEnds = rest.match(/\r\n?|\n/g)?.length ?? 0;
  return { cell: (begun + rest.replaceAll('""', '"')).trim(), end, lineEnds };
}

/**
 * Finds the last quote of the first odd run of quotes at or after a line end, where a quoted cell goes on;
 * the end of the text if there is none. What was found is remembered, so the text is searched once.
 */
function createNextOdd(text: string): (position: number) => number {
  let from = 0;
  let found = -1;
  return (position) => {
    if (position >= from && position <= found) return found;
    from = position;
    for (let quote = text.indexOf('"', position); ; quote = text.indexOf('"', quote)) {
      if (quote === -1) {
        found = text.length;
        return found;
      }
      const run = quote;
      while (text[quote] === '"') quote += 1;
      if ((quote - run) % 2 === 0) continue;
      found = quote - 1;
      return found;
    }
  };
}

/** Of a cell: a delimiter, a line end, or the end of the file. */
function isEnd(text: string, delimiter: string, position: number): boolean {
  const character = text[position];
  return character === undefined || character === delimiter || character === "\n" || character === "\r";
}

function afterBlanks(text: string, delimiter: string, start: number): number {
  let position = start;
  while ((text[position] === " " || text[position] === "\t") && text[position] !== delimiter) position += 1;
  return position;
}

function endOfLine(text: string, start: number): number {
  let position = start;
  while (position < text.length && text[position] !== "\n" && text[position] !== "\r") position += 1;
  return position;
}

function afterLineEnd(text: string, end: number): number {
  return text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
}
