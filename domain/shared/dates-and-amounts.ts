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
