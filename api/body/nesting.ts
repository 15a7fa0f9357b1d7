import { validationError } from "../errors.ts";
import { MAX_DEPTH } from "./refused-values.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A body of this size is harmless however deeply it is nested; `checkJson` reports the place in it. */
const HARMLESS_BYTES = 128 * 1024;

/**
 * Scans JSON as it arrives, each byte once, and refuses too deep nesting before the rest is there: the parser
 * would make a gigabyte of 16 MiB of `[`.
 */
export function nestingWatch(): (chunk: Uint8Array) => void {
  let seen = 0;
  let tooDeep = false;
  let before: Place = { depth: 0, inString: false, escaped: false };
  return (chunk) => {
    seen += chunk.byteLength;
    let { depth, inString, escaped } = before;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === 0x5b || byte === 0x7b) {
        depth += 1;
        if (depth > MAX_DEPTH) tooDeep = true;
      } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    }
    before = { depth, inString, escaped };
    if (!tooDeep || seen <= HARMLESS_BYTES) return;
    throw validationError("The request body", [
      { path: [], message: `Nested more than ${MAX_DEPTH} levels deep` },
    ]);
  };
}

/** Where the scan stands between two chunks. */
type Place = { readonly depth: number; readonly inString: boolean; readonly escaped: boolean };
