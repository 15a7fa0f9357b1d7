import { TextDecoder } from "node:util";
import { delimiterOf, meantText } from "../campaigns/contact-records.ts";
import { type CsvRecord, LONGEST_CELL, placedRecords } from "../campaigns/csv-records.ts";
import { BEGINNING, certainEncoding } from "../campaigns/decode-csv.ts";
import { UnreadableFile } from "../campaigns/unreadable-file.ts";

/** Nothing farther behind a record says where it ends: a cell that is longer cannot be read. */
const LOOK_AHEAD = LONGEST_CELL + 16;
/** Characters that are read at once; a record of more cannot be read. */
const WINDOW = 4 * LOOK_AHEAD;
const CTRL_Z = "\u001a";

/**
 * The records of a file of any length that comes in parts, each as `contactRecords` reads it from the whole
 * text. Letters beyond ASCII may be misread where nothing says the encoding; digits are not. `push` and `end`
 * throw UnreadableFile.
 */
export function recordStream(charset: string | null, take: (record: CsvRecord) => void) {
  let beginning = new Uint8Array(0);
  let decoder: TextDecoder | null = null;
  let delimiter: string | null = null;
  let text = "";
  let linesBefore = 0;
  let drop = false;

  const decode = (bytes: Uint8Array): string => {
    if (decoder !== null) return decoder.decode(bytes, { stream: true });
    beginning = joined(beginning, bytes);
    return beginning.length < BEGINNING ? "" : decodeBeginning();
  };
  const decodeBeginning = (): string => {
    decoder = new TextDecoder(certainEncoding(beginning, charset) ?? "utf-8");
    return decoder.decode(beginning, { stream: true });
  };
  const read = (certain: number) => {
    if (delimiter === null) {
      const found = delimiterOf(text);
      delimiter = found.delimiter;
      drop = found.isDeclared;
    }
    let done = { end: 0, nextLine: 1 };
    for (const { line, cells, isEmpty, end, nextLine } of placedRecords(text, delimiter)) {
      if (end > certain) break;
      done = { end, nextLine };
      if (isEmpty) continue;
      if (!drop) take({ line: linesBefore + line, cells: cells?.map(meantText) ?? null });
      drop = false;
    }
    if (done.end === 0 && text.length > WINDOW + LOOK_AHEAD)
      throw new UnreadableFile(`Has a row of more than ${WINDOW} characters on line ${linesBefore + 1}`);
    text = text.slice(done.end);
    linesBefore += done.nextLine - 1;
  };
  return {
    push: (bytes: Uint8Array) => {
      text += decode(bytes);
      if (text.length > WINDOW) read(text.length - LOOK_AHEAD);
    },
    end: () => {
      text += decoder === null ? decodeBeginning() : "";
      text += decoder?.decode() ?? "";
      if (text.endsWith(CTRL_Z)) text = text.slice(0, -1);
      read(text.length + 1);
    },
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
