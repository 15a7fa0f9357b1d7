import { contactRecords } from "../../../../api/campaigns/contact-records.ts";
import type { CsvRecord } from "../../../../api/campaigns/csv-records.ts";
import { decodeCsv } from "../../../../api/campaigns/decode-csv.ts";
import type { ColumnRole } from "../../../../contract/campaign-import.ts";
import {
  isDateOrAmount,
  isSpreadsheetNumber,
  isWrittenLikeNumber,
  plainText,
} from "../../../../domain/shared/number-text.ts";
import { CONSENT_ROLES, type Columns, NO_COLUMNS } from "./columns.ts";

/** The beginning of a file for the preview; only the service decides whether a row is valid. */
export type ReadContacts = {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** All rows of the file. */
  readonly rowCount: number;
  /** By column: the first cell of the file that is a number without its country. */
  readonly national: Readonly<Record<string, string>>;
  /** By column: the first cell of the file that a spreadsheet spoilt. */
  readonly spoilt: Readonly<Record<string, string>>;
  /** Not UTF-8: every byte is read as a character of Windows-1252. */
  readonly isWindows1252: boolean;
};

export const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MOST_ROWS = 200;
const MOST_ABOVE_HEADER = 10;

/** Read by the service's own reader, so that the preview shows what the import will take. */
export async function readContacts(file: File): Promise<ReadContacts> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { text, encoding } = decodeCsv(bytes, { charset: null, country: null });
  const records = contactRecords(text);
  const first: CsvRecord[] = [];
  for (let next = records.next(); next.done !== true; next = records.next()) {
    first.push(next.value);
    if (first.length === MOST_ABOVE_HEADER) break;
  }
  const [top, ...below] = fromHeader(first);
  const header = top?.cells ?? [];
  const { rows, ...counted } = counting(header, below, records);
  return {
    header: header.filter((name) => name !== ""),
    rows: rows.map((cells) => rowOf(header, cells)),
    ...counted,
    isWindows1252: encoding === "windows-1252",
  };
}

type Counted = Pick<ReadContacts, "rowCount" | "national" | "spoilt"> & {
  readonly rows: readonly (readonly string[])[];
};

/** The first rows, and what is asked of all of them. */
function counting(
  header: readonly string[],
  first: readonly CsvRecord[],
  more: Iterable<CsvRecord>,
): Counted {
  const rows: (readonly string[])[] = [];
  const national: Record<string, string> = {};
  const spoilt: Record<string, string> = {};
  let rowCount = 0;
  const count = (cells: readonly string[] | null) => {
    rowCount += 1;
    if (cells === null) return;
    if (rows.length < MOST_ROWS) rows.push(cells);
    header.forEach((name, column) => {
      const cell = cells[column] ?? "";
      if (national[name] === undefined && needsCountry(cell)) national[name] = cell;
      if (spoilt[name] === undefined && isSpoilt(cell)) spoilt[name] = cell;
    });
  };
  for (const { cells } of first) count(cells);
  for (const { cells } of more) count(cells);
  return { rows, rowCount, national, spoilt };
}

/** A title or a comment may stand above the header, which is the first record with a phone. */
function fromHeader(records: readonly CsvRecord[]): readonly CsvRecord[] {
  const place = records.findIndex(({ cells }) => cells !== null && guessColumns(cells).phone !== "");
  return records.slice(Math.max(0, place));
}

function rowOf(header: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    header.map((name, column) => [name, cells[column] ?? ""] as const).filter(([name]) => name !== ""),
  );
}

const USUAL_NAMES: Readonly<Record<ColumnRole, readonly string[]>> = {
  phone: [
    "phone",
    "phone number",
    "phonenumber",
    "phone_number",
    "tel",
    "telefon",
    "telephone",
    "mobile",
    "gsm",
    "cep",
    "telefon no",
    "cep telefonu",
  ],
  name: ["name", "full name", "full_name", "fullname", "ad soyad", "isim", "ad"],
  timezone: ["timezone", "time zone", "time_zone", "saat dilimi"],
  externalId: ["externalid", "external id", "external_id"],
  consentSource: ["consentsource", "consent source", "consent_source", "rıza kaynağı"],
  consentAt: ["consentat", "consent at", "consent_at", "rıza tarihi"],
  consentExpiresAt: ["consentexpiresat", "consent expires at", "consent_expires_at", "rıza bitişi"],
  consentReference: ["consentreference", "consent reference", "consent_reference", "rıza no"],
};

/** Guesses columns by common names. "": none found; half a consent is none. */
export function guessColumns(header: readonly string[]): Columns {
  const guess = (role: ColumnRole) => {
    const wanted = USUAL_NAMES[role];
    const places = wanted.map((name) => header.find((each) => each.toLowerCase() === name));
    return places.find((each) => each !== undefined) ?? "";
  };
  const found = {
    ...NO_COLUMNS,
    phone: guess("phone"),
    name: guess("name"),
    timezone: guess("timezone"),
    externalId: guess("externalId"),
  };
  const consent = Object.fromEntries(CONSENT_ROLES.map((role) => [role, guess(role)]));
  return consent["consentSource"] === "" || consent["consentAt"] === "" ? found : { ...found, ...consent };
}

/** A number that a spreadsheet rounded: its digits are lost. */
export const isSpoilt = (cell: string): boolean => /\d/.test(cell) && isSpreadsheetNumber(plainText(cell));

/** A national number: it can be read only with a country. What looks like a date or an amount is none. */
export function needsCountry(cell: string): boolean {
  if (!/\d/.test(cell)) return false;
  const text = plainText(cell);
  return (
    !text.startsWith("+") && isWrittenLikeNumber(text) && !isDateOrAmount(text) && !isSpreadsheetNumber(text)
  );
}

/** A row as the service reads it: every column except phone and name is a value for the texts. */
export function contactOf(row: Readonly<Record<string, string>>, { phone, name }: Columns) {
  const customData = Object.fromEntries(
    Object.entries(row).filter(([column]) => column !== phone && column !== name),
  );
  const called = row[name] ?? "";
  return { phoneNumber: row[phone] ?? "", ...(called === "" ? {} : { name: called }), customData };
}

export type PreviewContact = ReturnType<typeof contactOf>;
