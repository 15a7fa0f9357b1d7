/** What can be said of JSON bytes before anybody builds values from them. */
export type JsonScan = {
  /** Containers within containers; the outermost counts as 1. */
  readonly depth: number;
  /** A `\u` escape, a name like `__proto__` or a number that may be too large stands in it: its values must be looked at one by one. */
  readonly suspicious: boolean;
  /** Containers, and values after the first in each: what the parser makes of the bytes takes up to 60 bytes of memory for each, however few bytes it is here. */
  readonly values: number;
};

/** What is taken apart at once; a list of contacts is taken apart one by one. Beyond it a worker would not get through: what ends it is the whole process. */
export const MOST_VALUES = 500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const COMMA = 0x2c;
const UNDERSCORE = 0x5f;
/** No fewer digits make a number that is too large without an exponent. */
const MANY_DIGITS = 300;

/** One pass over the bytes, without recursion and without memory of its own. Malformed text is left to the parser. */
export function scanJson(bytes: Uint8Array): JsonScan {
  let depth = 0;
  let deepest = 0;
  let suspicious = false;
  let values = 0;
  let inString = false;
  let digits = 0;
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
      if (digits >= MANY_DIGITS || isExponent(bytes[index + 1])) suspicious = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    } else {
      digits = 0;
      if (byte === COMMA) values += 1;
    }
  }
  return { depth: deepest, suspicious, values };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}
