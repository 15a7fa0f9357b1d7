import type { ContactInput } from "../../application/campaign/screen-contacts.ts";
import { instantOf } from "../../contract/fields.ts";
import type { RejectedContact } from "../../domain/campaign/events.ts";
import { zoneProblem } from "../../domain/campaign/window/taken-zone.ts";
import { neverCounts } from "../../domain/policy/consent.ts";
import type { Consent } from "../../domain/policy/policy.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { fitsUtf8 } from "../../domain/shared/utf8.ts";
import {
  type NumberCountry,
  readWrittenNumber,
  type WrittenNumber,
} from "../../domain/shared/written-number.ts";
import { textProblem } from "../body/refused-values.ts";
import type { ConsentColumns, CsvHeader } from "./csv-header.ts";
import { UnreadableFile } from "./unreadable-file.ts";

const MAX_LABEL = 255;
/** Characters of a wrong number cell that are shown in the report. */
const SHOWN_CHARACTERS = 64;
const MAX_CUSTOM_DATA_BYTES = 16 * 1024;

/**
 * The most different cells that are read as written numbers (national ones, and those with separators): some
 * ten seconds of a worker. Twice the contacts of a campaign.
 */
const MOST_NUMBERS = 20_000;
const TOO_MANY_NUMBERS = "Holds more than 20,000 different cells where a number should stand";
/** The most different zone names; there are some 600 zones. */
const MOST_ZONES = 2_000;
const TOO_MANY_ZONES = "Holds more than 2,000 different time zones";

/** A record of the file, and the line of its first character. */
export type Row = { readonly cells: readonly string[]; readonly index: number; readonly line: number };

/** A row as a contact, or why it is refused. */
export function readRow(
  header: CsvHeader,
  numberOf: NumberReader,
  isZone: (name: string) => boolean,
  { cells, index, line }: Row,
): ContactInput | RejectedContact {
  const phoneNumber = cells[header.phone] ?? "";
  const refused = (reason: string): RejectedContact => ({
    index,
    line,
    phoneNumber: phoneNumber === "" ? null : beginningOf(phoneNumber, SHOWN_CHARACTERS),
    reason,
  });
  if (cells.length > header.width) return refused("too_many_cells");
  if (cells.length < header.width) return refused("too_few_cells");
  if (phoneNumber.length > SHOWN_CHARACTERS) return refused("not_e164");
  if (phoneNumber === "") return refused("missing_phone");
  if (cells.some((cell) => textProblem(cell) !== null)) return refused("invalid_character");
  const filledCell = (column: number | null) => (column === null ? null : cells[column] || null);
  const name = filledCell(header.name);
  const timezone = filledCell(header.timezone);
  const externalId = filledCell(header.externalId);
  if (isTooLong(name)) return refused("name_too_long");
  if (isTooLong(externalId)) return refused("external_id_too_long");
  const customData = Object.fromEntries(header.custom.map(({ key, column }) => [key, cells[column] ?? ""]));
  if (!fitsUtf8(JSON.stringify(customData), MAX_CUSTOM_DATA_BYTES)) {
    return refused("custom_data_too_large");
  }
  const number = numberOf(phoneNumber);
  if (!number.ok) return refused(number.reason);
  if (timezone !== null && !isZone(timezone)) return refused("bad_timezone");
  const consent = header.consent === null ? null : readConsent(header.consent, filledCell);
  if (consent === "bad_consent") return refused(consent);
  return {
    index,
    line,
    phoneNumber,
    number,
    name,
    customData,
    timezone,
    externalId,
    ...(consent === null ? {} : { consent }),
  };
}

/** null: all of its cells are empty. */
function readConsent(
  columns: ConsentColumns,
  filledCell: (column: number | null) => string | null,
): Consent | "bad_consent" | null {
  const [source, reference] = [filledCell(columns.source), filledCell(columns.reference)];
  const [at, expiresAt] = [filledCell(columns.at), filledCell(columns.expiresAt)];
  if (source === null && at === null && expiresAt === null && reference === null) return null;
  if (source === null || at === null || isTooLong(source) || isTooLong(reference)) return "bad_consent";
  const given = instantOf(at);
  const expires = expiresAt === null ? null : instantOf(expiresAt);
  if (given === null || (expires === null) !== (expiresAt === null)) return "bad_consent";
  const consent = {
    ...{ source, at: given },
    ...(expires === null ? {} : { expiresAt: expires }),
    ...(reference === null ? {} : { reference }),
  };
  return neverCounts(consent) ? "bad_consent" : consent;
}

function isTooLong(label: string | null): boolean {
  return label !== null && [...label].length > MAX_LABEL;
}

/** Checking an unknown zone is slowest, so only so many different names of a file are checked. */
export function rememberedZones(): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MOST_ZONES) throw new UnreadableFile(TOO_MANY_ZONES);
    const isKnown = zoneProblem(name) === null;
    known.set(name, isKnown);
    return isKnown;
  };
}

type NumberReader = (cell: string) => WrittenNumber;

/** Checking a number takes most of the time: a number that a file repeats a million times is checked once. */
export function rememberedNumbers(country: NumberCountry | null): NumberReader {
  const written = new Map<string, WrittenNumber>();
  const plain = new Map<string, WrittenNumber>();
  return (cell) => {
    const isWritten = country !== null || (/[+\uff0b]/.test(cell) && !/^\+\d+$/.test(cell));
    const known = isWritten ? written : plain;
    const before = known.get(cell);
    if (before !== undefined) return before;
    if (written.size >= MOST_NUMBERS) throw new UnreadableFile(TOO_MANY_NUMBERS);
    if (plain.size >= MOST_NUMBERS) plain.clear();
    const number = readWrittenNumber(cell, country);
    known.set(cell, number);
    return number;
  };
}
