import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber as LibraryNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { type PhoneNumber, type PhoneNumberRefusal, parsePhoneNumber } from "./phone-number.ts";

/** ISO 3166 code of a country (or territory) that has a numbering plan. */
export type NumberCountry = CountryCode;

export function isNumberCountry(code: string): code is NumberCountry {
  return isSupportedCountry(code);
}

export type WrittenNumber =
  | { readonly ok: true; readonly value: PhoneNumber }
  | { readonly ok: false; readonly reason: PhoneNumberRefusal | "spreadsheet_number" };

/**
 * A number as people write it in a table (docs/api.md §12). E.164 is taken as it is. Other forms are read
 * when exactly one number can be meant, and that one is valid by the full numbering plan of its country:
 * with a `+` always, without one as they are dialled in `country`. A wrong guess calls a stranger, so
 * ambiguous text is refused. Reasons: `spreadsheet_number` (9.05E+11: its digits are lost), `not_e164` (not
 * written like a number, or like more than one), `not_possible` (written like one, but there is no such
 * number).
 */
export function readWrittenNumber(cell: string, country: NumberCountry | null): WrittenNumber {
  const exact = parsePhoneNumber(cell);
  if (exact.ok || exact.reason !== "not_e164") return exact;
  const text = plainText(cell);
  if (isSpreadsheetNumber(text)) return { ok: false, reason: "spreadsheet_number" };
  const isReadable = country !== null || text.startsWith("+");
  if (!isReadable || !isWrittenLikeNumber(text) || isDateOrAmount(text)) return NOT_E164;
  const [number, other] = readings(text, country);
  if (other !== undefined || holdsMore(text, country, number !== undefined)) return NOT_E164;
  return number === undefined ? { ok: false, reason: "not_possible" } : parsePhoneNumber(number);
}

const NOT_E164 = { ok: false, reason: "not_e164" } as const;

/** What programs put before a number, which says nothing about which number is meant. */
const PREFIX = /^(?:tel|phone|callto|whatsapp|p) ?: ?(?:\/\/)?/i;
/** Bidirectional marks, zero-width and variation characters: copied along, and never seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;

/** Zeros of the scripts whose digits are read: Latin, Arabic, Persian, Devanagari. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966];

/**
 * The same text in plain characters: invisible ones left out, full-width and typographic ones, digits of
 * other scripts and every kind of space as their ASCII ones, without a prefix (`tel:`), and without brackets
 * around the calling code.
 */
function plainText(cell: string): string {
  return cell
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\p{Zs}\t]/gu, " ")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-")
    .replaceAll(/[\u00b7\u2024]/g, ".")
    .replaceAll(/[\u2044\u2215]/g, "/")
    .replaceAll(/\p{Nd}/gu, latinDigit)
    .trim()
    .replace(PREFIX, "")
    .replace(/^[\u2018\u2019] ?(?=\+)/, "")
    .replace(/^\( ?(\+ ?\d{1,3}) ?\)/, "$1 ");
}

function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? digit : String(code - zero);
}

/**
 * Digits, spaces and ( ) - . / after at most one +. Begins with a digit or a bracket, ends with a digit,
 * and has no long gap.
 */
const CHARACTERS = /^(?:\+ ?)?(?:\( ?)?\d(?:[ ()\-./]{0,3}\d){0,18}$/;
/**
 * One pair of brackets, around an area code: at most five digits before it and in it, at least four after it.
 */
const AREA_CODE = /^(?:\+ ?)?(?:\d[^()\d]*){0,5}\( ?\d(?:[^()\d]?\d){0,4} ?\)(?:[^()\d]*\d){4,}$/;

function isWrittenLikeNumber(text: string): boolean {
  return CHARACTERS.test(text) && (!/[()]/.test(text) || AREA_CODE.test(text)) && text.split("/").length < 3;
}

/** Every valid number that the text can mean, in E.164. */
function readings(text: string, country: NumberCountry | null): readonly string[] {
  const digits = text.replaceAll(/\D/g, "");
  const atHome = () => (country === null ? [] : readingsOfDigits(digits, country));
  const read = text.startsWith("+") ? [parse(digits)] : atHome();
  return [...new Set(read.flatMap((number) => (number?.isValid() === true ? [number.number] : [])))];
}

/**
 * As dialled in the country, with the country's calling code, and after an international prefix: 00
 * and the country's own.
 */
function readingsOfDigits(digits: string, country: NumberCountry): readonly (LibraryNumber | undefined)[] {
  const callingCode = getCountryCallingCode(country);
  const afterPrefix = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  return [
    dialledAtHome(digits, callingCode),
    digits.startsWith(callingCode) ? parse(digits) : undefined,
    digits.startsWith("00") ? parse(digits.slice(2)) : undefined,
    // The library also accepts the country's own international prefix, such as 011.
    afterPrefix !== undefined && digits.length >= afterPrefix.number.length ? afterPrefix : undefined,
  ];
}

/**
 * With fewer digits it may be a number without its area code, in countries with a trunk prefix (the
 * 0 of most countries).
 */
const FEWEST_WITHOUT_TRUNK_PREFIX = 9;

function dialledAtHome(digits: string, callingCode: string): LibraryNumber | undefined {
  const number = parse(callingCode + digits);
  if (number === undefined || digits.length >= FEWEST_WITHOUT_TRUNK_PREFIX) return number;
  const withPrefix = number.formatNational().replaceAll(/\D/g, "");
  const lacksPrefix = digits === number.nationalNumber && withPrefix.length > digits.length;
  return lacksPrefix && number.getType() !== "MOBILE" ? undefined : number;
}

/** `digits` begin with a calling code. A trunk prefix after it is left out. */
function parse(digits: string): LibraryNumber | undefined {
  return parsePhoneNumberFromString(`+${digits}`, { extract: false });
}

/**
 * A whole number and more: another one, or an extension. Some countries allow numbers so long that the two
 * together are valid. Digits before a slash are an area code, unless they are a number by themselves.
 */
function holdsMore(text: string, country: NumberCountry | null, isValid: boolean): boolean {
  const isNumber = (part: string) =>
    part.replaceAll(/\D/g, "").length >= SHORTEST_NUMBER && readings(part, country).length > 0;
  return [...text.matchAll(/[ \-./(]+/g)].some(({ 0: gap, index }) => {
    const rest = text.slice(index + gap.length);
    return (!isValid || gap.includes("/") || isNumber(rest)) && isNumber(text.slice(0, index));
  });
}

/**
 * Fewest digits of a number with its area code. Some islands have fewer, but no two of theirs make
 * another valid number.
 */
const SHORTEST_NUMBER = 5;

/**
 * A number whose digits a spreadsheet has rounded (9.05E+11), or that it keeps as an amount (905321112233.0).
 */
function isSpreadsheetNumber(text: string): boolean {
  return /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text) || /^\+?\d+[.,]0+$/.test(text);
}

const SEPARATOR = "(?: ?[./-] ?| )";
const YEAR = "(?:19|20)\\d\\d";
const DAY_FIRST = new RegExp(`^(\\d{1,2})${SEPARATOR}(\\d{1,2})${SEPARATOR}${YEAR}$`);
const YEAR_FIRST = new RegExp(`^${YEAR}${SEPARATOR}(\\d{1,2})${SEPARATOR}(\\d{1,2})$`);
/** Also six digits in pairs that are no date: nobody can be called from abroad under such a number. */
const SHORT_DATE = new RegExp(`^\\d{1,2}${SEPARATOR}\\d{1,2}${SEPARATOR}\\d\\d$`);
const COMPACT = [new RegExp(`^${YEAR}(\\d\\d)(\\d\\d)$`), new RegExp(`^(\\d\\d)(\\d\\d)${YEAR}$`)];

/** 1299.90, 41.015137, 12.500 · 1.299.000, 12.345.678 */
const AMOUNTS = [/^\d+\.\d{1,2}$/, /^[1-9]\d{0,2}\.\d+$/, /^[1-9]\d?(?:\.\d{3}){2}$/];
/** The form of Brazil's tax numbers; eleven digits are a mobile number there. */
const TAX_NUMBER = /^\d{3}\.\d{3}\.\d{3}-\d\d$/;

/**
 * Text of the characters of a phone number that is something else: a date, an amount, a
 * coordinate, a tax number.
 */
function isDateOrAmount(text: string): boolean {
  return (
    SHORT_DATE.test(text) ||
    [DAY_FIRST, YEAR_FIRST, ...COMPACT].some((form) => isDayAndMonth(form.exec(text))) ||
    [...AMOUNTS, TAX_NUMBER].some((form) => form.test(text))
  );
}

/** In either order. */
function isDayAndMonth(match: RegExpExecArray | null): boolean {
  if (match === null) return false;
  const [low = 0, high = 0] = [Number(match[1]), Number(match[2])].sort((a, b) => a - b);
  return low >= 1 && low <= 12 && high <= 31;
}
