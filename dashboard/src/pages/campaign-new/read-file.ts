import { contactRecords } from "../../../../api/campaigns/contact-records.ts";
import { decodeCsv } from "../../../../api/campaigns/decode-csv.ts";
import type { ColumnRole } from "../../../../contract/campaign-import.ts";
import type { Columns } from "./columns.ts";

/** The beginning of a file for the preview; only the service decides whether a row is valid. */
export type ReadContacts = {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
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
  const records = contactRecords(text).flatMap(({ cells }) => (cells === null ? [] : [cells]));
  const [header = [], ...rows] = fromHeader([...records.take(MOST_ROWS + MOST_ABOVE_HEADER)]);
  return {
    header: header.filter((name) => name !== ""),
    rows: rows.slice(0, MOST_ROWS).map((cells) => rowOf(header, cells)),
    isWindows1252: encoding === "windows-1252",
  };
}

/** A title or a comment may stand above the header, which is the first record with a phone. */
function fromHeader(records: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const place = records.slice(0, MOST_ABOVE_HEADER).findIndex((cells) => guessColumns(cells).phone !== "");
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
};

/** Guesses columns by common names. "": none found. */
export function guessColumns(header: readonly string[]): Columns {
  const guess = (role: ColumnRole) => {
    const wanted = USUAL_NAMES[role];
    const places = wanted.map((name) => header.find((each) => each.toLowerCase() === name));
    return places.find((each) => each !== undefined) ?? "";
  };
  return {
    phone: guess("phone"),
    name: guess("name"),
    timezone: guess("timezone"),
    externalId: guess("externalId"),
  };
}

/** A number that a spreadsheet rounded: its digits are lost. */
export const isSpreadsheetNumber = (cell: string): boolean =>
  /^\+?\d+(?:[.,]\d+)?e\+?\d+$/i.test(cell.trim());

/** A national number: it can be read only with a country. */
export const needsCountry = (cell: string): boolean => /^\s*\(?0*\d/.test(cell) && !isSpreadsheetNumber(cell);

/** A row as the service reads it: every column except phone and name is a value for the texts. */
export function contactOf(row: Readonly<Record<string, string>>, { phone, name }: Columns) {
  const customData = Object.fromEntries(
    Object.entries(row).filter(([column]) => column !== phone && column !== name),
  );
  const called = row[name] ?? "";
  return { phoneNumber: row[phone] ?? "", ...(called === "" ? {} : { name: called }), customData };
}

export type PreviewContact = ReturnType<typeof contactOf>;
