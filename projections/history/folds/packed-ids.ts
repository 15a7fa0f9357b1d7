import { integers, withRoom } from "./columns.ts";

/**
 * Ids of one kind in 20 bytes each instead of 50 for their text: the 26 characters after the prefix have five
 * bits each. An id of another form, which this service never makes, is kept as text.
 */
export type PackedIds<Id extends string> = {
  readonly prefix: string;
  length: number;
  words: Int32Array;
  readonly others: Map<number, Id>;
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LETTERS = 26;
const BITS = 5;
const LETTERS_OF_WORD = 6;
const WORDS = Math.ceil(LETTERS / LETTERS_OF_WORD);
const OTHER_BYTES = 120;
const values = new Int8Array(128).fill(-1);
for (let value = 0; value < ALPHABET.length; value += 1) values[ALPHABET.charCodeAt(value)] = value;

export function noIds<Id extends string>(prefix: string): PackedIds<Id> {
  return { prefix, length: 0, words: integers(0), others: new Map() };
}

/** Returns its index. */
export function addId<Id extends string>(ids: PackedIds<Id>, id: Id): number {
  const place = ids.length;
  ids.length += 1;
  ids.words = withRoom(ids.words, (place + 1) * WORDS - 1, integers);
  if (!pack(ids.prefix, id, ids.words, place * WORDS)) ids.others.set(place, id);
  return place;
}

export function idAt<Id extends string>({ prefix, words, others }: PackedIds<Id>, place: number): Id {
  const other = others.get(place);
  if (other !== undefined) return other;
  let text = prefix;
  for (let letter = 0; letter < LETTERS; letter += 1) {
    const word = words[place * WORDS + Math.floor(letter / LETTERS_OF_WORD)] ?? 0;
    text += ALPHABET[(word >> (BITS * (letter % LETTERS_OF_WORD))) & 31];
  }
  return text as Id;
}

const asked = integers(WORDS);

export function isIdAt<Id extends string>(
  { prefix, words, others }: PackedIds<Id>,
  place: number,
  id: Id,
): boolean {
  if (!pack(prefix, id, asked, 0)) return others.get(place) === id;
  if (others.has(place)) return false;
  return asked.every((word, index) => words[place * WORDS + index] === word);
}

export function bytesOfIds({ words, others }: PackedIds<string>): number {
  return words.byteLength + others.size * OTHER_BYTES;
}

/** false: another form; `words` is unchanged. */
function pack(prefix: string, id: string, words: Int32Array, first: number): boolean {
  if (id.length !== prefix.length + LETTERS || !id.startsWith(prefix)) return false;
  for (let letter = 0; letter < LETTERS; letter += 1)
    if ((values[id.charCodeAt(prefix.length + letter)] ?? -1) < 0) return false;
  for (let word = 0; word < WORDS; word += 1) words[first + word] = wordOf(id, prefix.length, word);
  return true;
}

function wordOf(id: string, start: number, word: number): number {
  const first = word * LETTERS_OF_WORD;
  const behind = Math.min(LETTERS, first + LETTERS_OF_WORD);
  let bits = 0;
  for (let letter = behind - 1; letter >= first; letter -= 1)
    bits = (bits << BITS) | (values[id.charCodeAt(start + letter)] ?? 0);
  return bits;
}
