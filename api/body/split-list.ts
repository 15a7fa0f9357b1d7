/** Offsets of the beginning and end of each object of a list, alternating. */
export type Spans = readonly number[];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const WHITE = [0x20, 0x0a, 0x0d, 0x09];

/**
 * Finds the objects of the list under `name` in a JSON object, without building values. null if that is not
 * possible so simply: no such list or two of them, escapes in names, more than `most` objects. Malformed text
 * is left to the parser of the parts.
 */
export function spansOfList(bytes: Uint8Array, name: string, most: number): Spans | null {
  const nameBytes = new TextEncoder().encode(`"${name}"`);
  const spans: number[] = [];
  let depth = 0;
  let listsSeen = 0;
  let inList = false;
  let nameAt = -1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      const end = endOfString(bytes, index);
      if (depth === 1 && isName(bytes, end)) {
        if (bytes.subarray(index, end).includes(BACKSLASH)) return null;
        nameAt = index;
      }
      index = end;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (inList && depth === 3 && byte === 0x7b) spans.push(index);
      if (depth === 2 && byte === 0x5b && standsAt(bytes, nameBytes, nameAt)) {
        inList = true;
        listsSeen += 1;
      }
    } else if (byte === 0x7d || byte === 0x5d) {
      if (inList && depth === 3 && byte === 0x7d) spans.push(index + 1);
      depth -= 1;
      if (depth === 1) inList = false;
      if (spans.length > 2 * most) return null;
    }
  }
  return listsSeen === 1 && spans.length % 2 === 0 ? spans : null;
}

/** Index of the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}

function isName(bytes: Uint8Array, end: number): boolean {
  let index = end + 1;
  while (WHITE.includes(bytes[index] ?? 0)) index += 1;
  return bytes[index] === COLON;
}

function standsAt(bytes: Uint8Array, text: Uint8Array, at: number): boolean {
  return at >= 0 && text.every((byte, offset) => bytes[at + offset] === byte);
}
