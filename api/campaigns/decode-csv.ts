import { UnreadableFile } from "./unreadable-file.ts";

/** How a file says, or lets guess, in which encoding it is. */
export type Encoding = {
  /** Of its content type; null: none. */
  readonly charset: string | null;
  /** Where its numbers are from; null: not said. */
  readonly country: string | null;
};

export type DecodedFile = {
  readonly text: string;
  /** As the Encoding Standard names it: `utf-8`. */
  readonly encoding: string;
  /** Bytes that are no character of the encoding, each replaced by U+FFFD. */
  readonly badCharacters: number;
};

/**
 * By the byte order mark, else the declared charset, else UTF-16 if every second byte is empty, else UTF-8 if
 * at least as many characters of UTF-8 as bytes that are none, else Windows-1252 (in countries with Turkish
 * letters Windows-1254), which has a character for every byte. Throws UnreadableFile for what is no text.
 */
export function decodeCsv(bytes: Uint8Array, { charset, country }: Encoding): DecodedFile {
  const certain = certainEncoding(bytes, charset);
  if (certain !== null) return decoded(bytes, certain);
  const utf8 = decoded(bytes, "utf-8");
  if (utf8.badCharacters === 0 || countWide(utf8.text) >= 2 * utf8.badCharacters) return utf8;
  return decoded(bytes, country === "TR" || country === "AZ" ? "windows-1254" : "windows-1252");
}

/** As above of a file that begins so; null: only the rest of it tells. */
export function certainEncoding(beginning: Uint8Array, charset: string | null): string | null {
  const other = kindOf(beginning);
  if (other !== null) throw new UnreadableFile(`Is ${other}, not a text file: save it as CSV UTF-8`);
  return byMark(beginning) ?? declared(charset) ?? byEmptyBytes(beginning);
}

const REPLACEMENT = 0xfffd;
const CTRL_Z = "\u001a";

function decoded(bytes: Uint8Array, encoding: string): DecodedFile {
  const whole = new TextDecoder(encoding).decode(bytes);
  // Where DOS ended a file.
  const text = whole.endsWith(CTRL_Z) ? whole.slice(0, -1) : whole;
  const replaced = countUnits(text, (unit) => unit === REPLACEMENT);
  const written = replaced > 0 && encoding === "utf-8" ? writtenReplacements(bytes) : 0;
  return { text, encoding, badCharacters: replaced - written };
}

/** Beyond ASCII, also the replacements of bad ones. */
function countWide(text: string): number {
  return countUnits(text, (unit) => unit > 0x7f);
}

function countUnits(text: string, isCounted: (unit: number) => boolean): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) if (isCounted(text.charCodeAt(index))) count += 1;
  return count;
}

/** U+FFFD that stands in the file as such: EF BF BD. */
function writtenReplacements(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count += 1;
  return count;
}

function byMark(bytes: Uint8Array): string | null {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return "utf-8";
  if (startsWith(bytes, [0xff, 0xfe])) return "utf-16le";
  return startsWith(bytes, [0xfe, 0xff]) ? "utf-16be" : null;
}

function declared(charset: string | null): string | null {
  if (charset === null) return null;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    throw new UnreadableFile("Has a charset in its content type that is not known");
  }
}

/** Latin letters in UTF-16 without a mark. */
function byEmptyBytes(bytes: Uint8Array): string | null {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (a > 0 && b === 0 && c > 0 && d === 0 && bytes.length > 3) return "utf-16le";
  return a === 0 && b > 0 && c === 0 && d > 0 ? "utf-16be" : null;
}

const SIGNATURES: readonly (readonly [kind: string, signature: readonly number[]])[] = [
  ["an Excel workbook (.xlsx) or another archive", [0x50, 0x4b, 0x03, 0x04]],
  ["an old Excel workbook (.xls)", [0xd0, 0xcf, 0x11, 0xe0]],
  ["a PDF", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["a compressed file (gzip)", [0x1f, 0x8b]],
  ["an image", [0x89, 0x50, 0x4e, 0x47]],
  ["an image", [0xff, 0xd8, 0xff]],
];
export const BEGINNING = 512;

/** What a file is that is no list of cells; null: it may be one. */
function kindOf(bytes: Uint8Array): string | null {
  const known = SIGNATURES.find(([, signature]) => startsWith(bytes, signature));
  if (known !== undefined) return known[0];
  const beginning = new TextDecoder("latin1")
    .decode(bytes.subarray(0, BEGINNING))
    .replace(/^(?:ï»¿)?\s*/, "");
  if (/^<(?:!doctype html|html|head|body|table)\b/i.test(beginning)) return "a web page (HTML)";
  if (/^<\?xml\b/i.test(beginning)) return "XML";
  return /^\{\s*"/.test(beginning) ? "JSON" : null;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
