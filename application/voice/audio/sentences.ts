import { beginningOf } from "../../../domain/shared/storable-text.ts";

/** The first piece of an utterance is short, so that it is heard soon; a comma may end it. */
const CLAUSE_FROM = 12;
const LONGEST_FIRST = 120;
const LONGEST = 240;

/** Begins with the first of several stops, so that many are not tried from each of them. */
const SENTENCE_END = /(?<![.!?…。！？])[.!?…。！？]+["'»”’)\]]*(?=\s)|\n/gu;
const CLAUSE_END = /[,;:–—](?=\s)/gu;

/**
 * Length of the next piece to be spoken of a text that is still growing; 0: its end is not known yet.
 * `isComplete`: nothing follows.
 */
export function nextPiece(text: string, isFirst: boolean, isComplete: boolean): number {
  const longest = isFirst ? LONGEST_FIRST : LONGEST;
  // No more of it is looked at: of many signs in a row, each would be looked at from each one before it.
  const head = text.slice(0, longest + 1);
  const ends = [endIn(head, SENTENCE_END, 2), isFirst ? endIn(head, CLAUSE_END, CLAUSE_FROM) : 0];
  const first = Math.min(...ends.filter((end) => end > 0));
  if (first <= longest) return first;
  if (isComplete && text.length <= LONGEST) return text.length;
  return text.length > longest ? wordEnd(text, longest) : 0;
}

/** After the first end that is at least so far in; 0: there is none. */
function endIn(text: string, ends: RegExp, least: number): number {
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (end >= least && /[\p{L}\p{N}]/u.test(text.slice(0, end))) return end;
  }
  return 0;
}

function wordEnd(text: string, most: number): number {
  const space = text.lastIndexOf(" ", most);
  return space > 0 ? space : beginningOf(text, most).length;
}

/** Text without a letter or a digit has no sound. */
export function isSpoken(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
