import {
  type ContactInput,
  type DuplicateContacts,
  REPORTED,
  type RefusedInAll,
  TOO_MANY_CONTACTS,
} from "../../application/campaign/screen-contacts.ts";
import type { RejectedContact } from "../../domain/campaign/events.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { CheckedBody } from "../body/check-json.ts";
import type { ReadingOptions } from "../body/reading-options.ts";
import { contactRecords } from "./contact-records.ts";
import { type CsvHeader, readHeader } from "./csv-header.ts";
import { readRow, rememberedNumbers, rememberedZones } from "./csv-row.ts";
import { decodeCsv } from "./decode-csv.ts";
import { textCell } from "./formula-guard.ts";
import { MissingColumn, UnreadableFile } from "./unreadable-file.ts";

/**
 * Contacts kept for screening, more than the limit because some have too long texts, and kept repeats
 * that could replace them.
 */
const MOST_KEPT = 2 * MAX_CONTACTS;
const MOST_REPEATS_KEPT = MAX_CONTACTS;
/**
 * The most refused rows in a report of all, so that a file of a million empty rows does not
 * give a larger answer.
 */
const MOST_LISTED = 100_000;
/**
 * The parsed file: the contacts that can be called, and the number of refused rows; of these the first, or
 * all, with line and reason.
 */
export type ContactsFile = {
  readonly contacts: Iterable<ContactInput>;
  readonly refusedRows: Iterable<RejectedContact>;
  readonly refusedInAll: RefusedInAll;
  /** Header and rows as in the file, as lines of CSV, if they were asked for. */
  readonly lines: FileLines | null;
  /** Places that could not be read as characters. */
  readonly badCharacters: number;
};

export type FileLines = { readonly header: string; readonly byIndex: ReadonlyMap<number, string> };

/** A title or a comment may stand above the header. */
const MOST_ABOVE_HEADER = 10;

/**
 * docs/api.md §5, POST /campaigns/import. A file that cannot be read is refused at `file`; a record that
 * cannot is one refused row. The limit is for accepted contacts, which only the screening knows; here it is
 * twice that. Of the refused rows, whose number only the body's size bounds, no more is kept than the report
 * shows.
 */
export function readContactsCsv(bytes: Uint8Array, options: ReadingOptions): CheckedBody<ContactsFile> {
  try {
    const { charset, defaultCountry } = options;
    const { text, badCharacters } = decodeCsv(bytes, { charset, country: defaultCountry });
    return { ok: true, value: { ...contactsIn(text, options), badCharacters } };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ok: false, kind: "invalid", details: [{ path: error.path, message: error.message }] };
  }
}

function contactsIn(text: string, options: ReadingOptions): Omit<ContactsFile, "badCharacters"> {
  const rows = rowsTaken(options);
  const numberOf = rememberedNumbers(options.defaultCountry);
  const isZone = rememberedZones();
  const findHeader = headerSearch(options);
  let header: CsvHeader | null = null;
  for (const { line, cells } of contactRecords(text)) {
    const index = rows.length();
    if (cells === null) rows.refuse({ index, line, phoneNumber: null, reason: "bad_row" }, []);
    else if (header !== null) rows.take(readRow(header, numberOf, isZone, { cells, line, index }), cells);
    else {
      header = findHeader(cells);
      if (header === null) rows.refuse({ index, line, phoneNumber: null, reason: "bad_row" }, cells);
      else rows.begin(cells);
    }
  }
  if (header === null) findHeader(null);
  return rows.file();
}

/**
 * The header is the first record that has the columns. null: not this one. Throws what is wrong with
 * the first one when there is none.
 */
function headerSearch({ columns, said }: ReadingOptions) {
  let first: UnreadableFile | null = null;
  let looked = 0;
  return (cells: readonly string[] | null): CsvHeader | null => {
    if (cells === null)
      throw first ?? new UnreadableFile("Is empty: a header with the column phone comes first");
    try {
      looked += 1;
      return readHeader(cells, columns, said);
    } catch (error) {
      if (!(error instanceof MissingColumn)) throw error;
      first ??= error;
      if (looked === MOST_ABOVE_HEADER) throw first;
      return null;
    }
  };
}

function rowsTaken({ skipDuplicates, report }: ReadingOptions) {
  const mostReported = report === "first" ? REPORTED : MOST_LISTED;
  const lines = new Map<number, string>();
  let header = "";
  const contacts: ContactInput[] = [];
  const refusedRows: RejectedContact[] = [];
  const duplicates: DuplicateContacts["items"][number][] = [];
  const seen = new Set<PhoneNumber>();
  const seenWithTexts = new Set<string>();
  let repeatsKept = 0;
  let refused = 0;
  let repeated = 0;

  const keepLine = (index: number, cells: readonly string[]) => {
    if (report === "rows") lines.set(index, csvLine(cells));
  };
  const refuse = (row: RejectedContact, cells: readonly string[]) => {
    refused += 1;
    if (refusedRows.length === mostReported) return;
    refusedRows.push(row);
    keepLine(row.index, cells);
  };
  const refuseRepeated = ({ index, line, phoneNumber }: ContactInput, cells: readonly string[]) => {
    repeated += 1;
    if (duplicates.length < REPORTED) duplicates.push({ index, phoneNumber });
    refuse({ index, phoneNumber, reason: "duplicate", ...(line === undefined ? {} : { line }) }, cells);
  };
  return {
    length: () => contacts.length + refused,
    refuse,
    begin: (cells: readonly string[]) => {
      header = csvLine(cells);
    },
    take: (row: ContactInput | RejectedContact, cells: readonly string[]) => {
      if ("reason" in row) return refuse(row, cells);
      const number = row.number.ok ? row.number.value : null;
      const isRepeat = number !== null && skipDuplicates && seen.has(number);
      // If the first one's texts are too long, a repeat with other texts is called instead.
      const texts = skipDuplicates ? JSON.stringify([number, row.name, row.customData]) : "";
      if (isRepeat && (repeatsKept === MOST_REPEATS_KEPT || seenWithTexts.has(texts)))
        return refuseRepeated(row, cells);
      if (isRepeat) repeatsKept += 1;
      else if (contacts.length - repeatsKept === MOST_KEPT) throw new UnreadableFile(TOO_MANY_CONTACTS);
      if (number !== null) seen.add(number);
      if (skipDuplicates) seenWithTexts.add(texts);
      contacts.push(row);
      keepLine(row.index, cells);
    },
    file: () => ({
      contacts,
      refusedRows,
      refusedInAll: { count: refused, duplicates: { count: repeated, items: duplicates } },
      lines: report === "rows" ? { header, byIndex: lines } : null,
    }),
  };
}

/** Texts of users in a download for a spreadsheet. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map(textCell).join(",")}\n`;
}
