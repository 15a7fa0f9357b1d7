import { CsvError, parse } from "csv-parse/sync";
import {
  type ContactInput,
  type DuplicateContacts,
  REPORTED,
  type RefusedInAll,
  TOO_MANY_CONTACTS,
} from "../../application/campaign/screen-contacts.ts";
import type { RejectedContact } from "../../domain/campaign/events.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import { type PhoneNumber, parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import type { CheckedBody } from "../body/check-json.ts";
import { textProblem } from "../body/refused-values.ts";
import { type CsvHeader, readHeader } from "./csv-header.ts";
import { decodeCsv, delimiterOf } from "./decode-csv.ts";
import { unguarded } from "./formula-guard.ts";

/** Whose texts are too long is judged later: more than the limit are kept, and so many repeats that could stand in for another. */
const MOST_KEPT = 2 * MAX_CONTACTS;
const MOST_REPEATS_KEPT = MAX_CONTACTS;
const MAX_NAME = 255;
/** Of a cell where a number should stand, in the report. */
const SHOWN_CHARACTERS = 64;
const MAX_CUSTOM_DATA_BYTES = 16 * 1024;

/** A file of contacts, taken apart: those that can be called, and how many rows are refused; of these the first 100 with line and reason. */
export type ContactsFile = {
  readonly contacts: Iterable<ContactInput>;
  readonly refusedRows: readonly RejectedContact[];
  readonly refusedInAll: RefusedInAll;
};

type Row = { readonly cells: readonly string[]; readonly index: number; readonly line: number };

class UnreadableFile extends Error {}

/**
 * interface.md §5, POST /campaigns/import. A file that is none as a whole is refused at `file`. The limit counts contacts that are accepted, which the
 * screening knows; here it is twice that. Of the other rows, which only the size of the body bounds, no more is kept than the report shows.
 */
export function readContactsCsv(bytes: Uint8Array, skipDuplicates: boolean): CheckedBody<ContactsFile> {
  const rows = rowsTaken(skipDuplicates);
  const numberOf = rememberedNumbers();
  try {
    let header: CsvHeader | null = null;
    forEachRecord(decodeCsv(bytes), (cells, line) => {
      if (header === null) {
        header = headerOf(cells);
        return;
      }
      rows.take(readRow(header, numberOf, { cells: cells.map(unguarded), line, index: rows.length() }));
    });
    if (header === null) throw new UnreadableFile("Is empty: a header with the column phone comes first");
  } catch (error) {
    return { ok: false, kind: "invalid", details: [{ path: ["file"], message: whyUnreadable(error) }] };
  }
  return { ok: true, value: rows.file() };
}

/** Judging a number is what takes most time: a file that repeats one a million times must not pay for it a million times. */
function rememberedNumbers(): typeof parsePhoneNumber {
  const known = new Map<string, ReturnType<typeof parsePhoneNumber>>();
  return (text) => {
    const number = known.get(text) ?? parsePhoneNumber(text);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(text, number);
    return number;
  };
}

function rowsTaken(skipDuplicates: boolean) {
  const contacts: ContactInput[] = [];
  const refusedRows: RejectedContact[] = [];
  const duplicates: DuplicateContacts["items"][number][] = [];
  const seen = new Set<PhoneNumber>();
  const seenWithTexts = new Set<string>();
  let repeatsKept = 0;
  let refused = 0;
  let repeated = 0;

  const refuse = (row: RejectedContact) => {
    refused += 1;
    if (refusedRows.length < REPORTED) refusedRows.push(row);
  };
  const refuseRepeated = ({ index, line, phoneNumber }: ContactInput) => {
    repeated += 1;
    if (duplicates.length < REPORTED) duplicates.push({ index, phoneNumber });
    refuse({ index, phoneNumber, reason: "duplicate", ...(line === undefined ? {} : { line }) });
  };
  return {
    length: () => contacts.length + refused,
    take: (row: ContactInput | RejectedContact) => {
      if ("reason" in row) return refuse(row);
      const number = row.number.ok ? row.number.value : null;
      const isRepeat = number !== null && skipDuplicates && seen.has(number);
      // Where the first one's texts are too long, a repeat with others is the one that is called.
      const texts = skipDuplicates ? JSON.stringify([number, row.name, row.customData]) : "";
      if (isRepeat && (repeatsKept === MOST_REPEATS_KEPT || seenWithTexts.has(texts)))
        return refuseRepeated(row);
      if (isRepeat) repeatsKept += 1;
      else if (contacts.length - repeatsKept === MOST_KEPT) throw new UnreadableFile(TOO_MANY_CONTACTS);
      if (number !== null) seen.add(number);
      if (skipDuplicates) seenWithTexts.add(texts);
      contacts.push(row);
    },
    file: (): ContactsFile => ({
      contacts,
      refusedRows,
      refusedInAll: { count: refused, duplicates: { count: repeated, items: duplicates } },
    }),
  };
}

/** Records in order with the line of their first character; empty lines are none. */
function forEachRecord(text: string, take: (cells: readonly string[], line: number) => void): void {
  parse(text, {
    delimiter: delimiterOf(text),
    record_delimiter: "\n",
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    raw: true,
    on_record: (read: unknown, { lines }) => {
      const { record, raw } = asRecord(read);
      take(record, lines - (raw.trim().split("\n").length - 1));
      return null;
    },
  });
}

/** With the option `raw` a record comes with its text; the types of csv-parse do not know it. */
function asRecord(read: unknown): { readonly record: readonly string[]; readonly raw: string } {
  return read as { readonly record: readonly string[]; readonly raw: string };
}

function headerOf(cells: readonly string[]): CsvHeader {
  const read = readHeader(cells);
  if (!read.ok) throw new UnreadableFile(read.message);
  return read.header;
}

function readRow(
  header: CsvHeader,
  numberOf: typeof parsePhoneNumber,
  { cells, index, line }: Row,
): ContactInput | RejectedContact {
  const phoneNumber = cells[header.phone] ?? "";
  const refused = (reason: string): RejectedContact => ({
    index,
    line,
    phoneNumber: phoneNumber === "" ? null : phoneNumber.slice(0, SHOWN_CHARACTERS),
    reason,
  });
  if (cells.length > header.width) return refused("too_many_cells");
  if (cells.length < header.width) return refused("too_few_cells");
  if (phoneNumber.length > SHOWN_CHARACTERS) return refused("not_e164");
  if (phoneNumber === "") return refused("missing_phone");
  if (cells.some((cell) => textProblem(cell) !== null)) return refused("invalid_character");
  const name = header.name === null ? "" : (cells[header.name] ?? "");
  if ([...name].length > MAX_NAME) return refused("name_too_long");
  const customData = Object.fromEntries(header.custom.map(({ key, column }) => [key, cells[column] ?? ""]));
  if (Buffer.byteLength(JSON.stringify(customData)) > MAX_CUSTOM_DATA_BYTES) {
    return refused("custom_data_too_large");
  }
  const number = numberOf(phoneNumber);
  if (!number.ok) return refused(number.reason);
  return {
    index,
    line,
    phoneNumber,
    number,
    name: name === "" ? null : name,
    customData,
    timezone: null,
    externalId: null,
  };
}

function whyUnreadable(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  if (!(error instanceof CsvError)) throw error;
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return "A quote is opened and never closed";
  return `Line ${String(error["lines"])}: a quote stands where none may stand`;
}
