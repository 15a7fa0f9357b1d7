import type { ColumnRole, Columns } from "./columns.ts";

/** The beginning of a file for the preview; only the service decides whether a row is valid. */
export type ReadContacts = {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** Not UTF-8: every byte is read as a character of Windows-1252. */
  readonly isWindows1252: boolean;
};

export const MAX_FILE_BYTES = 16 * 1024 * 1024;
const PREVIEWED_BYTES = 64 * 1024;
const MOST_ROWS = 200;

export async function readContacts(file: File): Promise<ReadContacts> {
  const { default: papa } = await import("papaparse");
  const bytes = await file.arrayBuffer();
  const isWindows1252 = !isUtf8(bytes);
  const beginning = bytes.slice(0, PREVIEWED_BYTES);
  const text = new TextDecoder(isWindows1252 ? "windows-1252" : "utf-8").decode(beginning, { stream: true });
  const { data } = papa.parse<string[]>(text, {
    delimitersToGuess: [",", ";", "\t", "|"],
    skipEmptyLines: true,
    preview: MOST_ROWS + 1,
  });
  // The last row of a cut file may be incomplete.
  const whole = bytes.byteLength > PREVIEWED_BYTES && data.length <= MOST_ROWS ? data.slice(0, -1) : data;
  const [header = [], ...rows] = whole.map((cells) => cells.map((cell) => cell.trim()));
  return {
    header: header.filter((name) => name !== ""),
    rows: rows.map((cells) => rowOf(header, cells)),
    isWindows1252,
  };
}

function rowOf(header: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    header.map((name, column) => [name, cells[column] ?? ""] as const).filter(([name]) => name !== ""),
  );
}

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
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
