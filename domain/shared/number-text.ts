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
export function plainText(cell: string): string {
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

export function isWrittenLikeNumber(text: string): boolean {
  return CHARACTERS.test(text) && (!/[()]/.test(text) || AREA_CODE.test(text)) && text.split("/").length < 3;
}

/**
 * A number whose digits a spreadsheet has rounded (9.05E+11), or that it keeps as an amount (905321112233.0).
 */
export function isSpreadsheetNumber(text: string): boolean {
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
export function isDateOrAmount(text: string): boolean {
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
