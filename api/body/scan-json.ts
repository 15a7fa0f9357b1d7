/** Facts about JSON bytes before any values are built. */
export type JsonScan = {
  /** Nested containers; the outermost counts as 1. */
  readonly depth: number;
  /**
   * It has a `\u` escape, a name like `__proto__` or a number that may be too large: its values must
   * be checked one by one.
   */
  readonly suspicious: boolean;
  /** It has a number that may be too large or may not keep its digits. */
  readonly oddNumbers: boolean;
  /**
   * Containers, and values after the first in each: the parser needs up to 60 bytes of memory for each,
   * however few bytes it is here.
   */
  readonly values: number;
};

/**
 * The most values that are parsed at once; a list of contacts is parsed item by item. More could end the
 * whole process, not only the worker.
 */
export const MOST_VALUES = 500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const COMMA = 0x2c;
const UNDERSCORE = 0x5f;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** A number with fewer digits keeps them, but for zeros at its end and an exponent. */
const MANY_DIGITS = 16;

/**
 * One pass over the bytes, without recursion and without memory of its own. Malformed text
 * is left to the parser.
 */
export function scanJson(bytes: Uint8Array): JsonScan {
  let depth = 0;
  let deepest = 0;
  let suspicious = false;
  let oddNumbers = false;
  let values = 0;
  let inString = false;
  let digits = 0;
  let hasPoint = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) {
        index += 1;
        if (bytes[index] === SMALL_U) suspicious = true;
      } else if (byte === QUOTE) {
        inString = false;
      } else if (byte === UNDERSCORE && bytes[index + 1] === UNDERSCORE) {
        suspicious = true;
      }
    } else if (byte === QUOTE) {
      inString = true;
    } else if (isDigit(byte)) {
      digits += 1;
      const isLast = !isDigit(bytes[index + 1]);
      if (digits >= MANY_DIGITS || isExponent(bytes[index + 1])) oddNumbers = true;
      if (hasPoint && byte === ZERO && (isLast || bytes[index - 1] === POINT)) oddNumbers = true;
    } else if (byte === POINT) {
      hasPoint = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      digits = 0;
      hasPoint = false;
      depth += 1;
      values += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      digits = 0;
      hasPoint = false;
      depth -= 1;
    } else {
      digits = 0;
      hasPoint = false;
      if (byte === MINUS && bytes[index + 1] === ZERO) oddNumbers = true;
      if (byte === COMMA) values += 1;
    }
  }
  return { depth: deepest, suspicious: suspicious || oddNumbers, oddNumbers, values };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}
