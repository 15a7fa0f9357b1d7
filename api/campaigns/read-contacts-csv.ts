import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
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
import { type CsvHeader, readHeader } from "./csv-header.ts";
import { readRow, rememberedNumbers, rememberedZones } from "./csv-row.ts";
import { decodeCsv, delimiterOf } from "./decode-csv.ts";
import { guarded, unguarded } from "./formula-guard.ts";
import { UnreadableFile, whyUnreadable } from "./unreadable-file.ts";

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
  readonly refusedRows: readonly RejectedContact[];
  readonly refusedInAll: RefusedInAll;
  /** Header and rows as in the file, as lines of CSV, if they were asked for. */
  readonly lines: FileLines | null;
};

export type FileLines = { readonly header: string; readonly byIndex: ReadonlyMap<number, string> };

/**
 * docs/api.md §5, POST /campaigns/import. A file that cannot be read is refused at `file`. The limit is for
 * accepted contacts, which only the screening knows; here it is twice that. Of the refused rows, whose number
 * only the body's size bounds, no more is kept than the report shows.
 */
export function readContactsCsv(bytes: Uint8Array, options: ReadingOptions): CheckedBody<ContactsFile> {
  const rows = rowsTaken(options);
  const numberOf = rememberedNumbers(options.defaultCountry);
  const isZone = rememberedZones();
  try {
    let header: CsvHeader | null = null;
    forEachRecord(decodeCsv(bytes), (cells, line) => {
      if (header === null) {
        const names = cells.map(unguarded);
        header = readHeader(names, options.columns);
        rows.begin(names);
        return;
      }
      const row = { cells: cells.map(unguarded), line, index: rows.length() };
      rows.take(readRow(header, numberOf, isZone, row), row.cells);
    });
    if (header === null) throw new UnreadableFile("Is empty: a header with the column phone comes first");
  } catch (error) {
    return { ok: false, kind: "invalid", details: [whyUnreadable(error)] };
  }
  return { ok: true, value: rows.file() };
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
    file: (): ContactsFile => ({
      contacts,
      refusedRows,
      refusedInAll: { count: refused, duplicates: { count: repeated, items: duplicates } },
      lines: report === "rows" ? { header, byIndex: lines } : null,
    }),
  };
}

/** Records in order with the line of their first character; empty lines are skipped. */
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

/** With the option `raw` a record comes with its text; csv-parse's types do not include that. */
function asRecord(read: unknown): { readonly record: readonly string[]; readonly raw: string } {
  return read as { readonly record: readonly string[]; readonly raw: string };
}

/** Texts of users in a download for a spreadsheet. */
function csvLine(cells: readonly string[]): string {
  return stringify([cells.map(guarded)]);
}
