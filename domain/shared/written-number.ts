import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber as LibraryNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { isDateOrAmount, isSpreadsheetNumber, isWrittenLikeNumber, plainText } from "./number-text.ts";
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
