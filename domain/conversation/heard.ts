import { CHARACTERS_A_SECOND } from "./limits.ts";

const LETTER = /[\p{L}\p{N}]/u;

/** Estimated line time of a text. */
export function speechMillis(text: string): number {
  return (text.length / CHARACTERS_A_SECOND) * 1_000;
}

/** The beginning of the text that is spoken in so much line time; whole words only. */
export function beginningByTime(text: string, millis: number): string {
  const characters = Math.floor((Math.max(0, millis) / 1_000) * CHARACTERS_A_SECOND);
  if (characters >= text.length) return text;
  return wholeWords(text, characters);
}

/**
 * What was heard, cut out of our own text: its longest beginning that has the same letters and digits as the
 * carrier's words. null: nothing agrees.
 */
export function agreeingBeginning(text: string, heard: string): string | null {
  const theirs = [...heard]
    .filter((each) => LETTER.test(each))
    .join("")
    .toLowerCase();
  let taken = 0;
  let end = 0;
  let index = 0;
  for (const character of text) {
    index += character.length;
    if (!LETTER.test(character)) continue;
    const ours = character.toLowerCase();
    if (!theirs.startsWith(ours, taken)) break;
    taken += ours.length;
    end = index;
    if (taken >= theirs.length) break;
  }
  if (theirs === "") return "";
  if (end === 0) return null;
  return withClosingMarks(text, end);
}

/** Adds punctuation that belongs to the last word heard, such as its full stop. */
function withClosingMarks(text: string, end: number): string {
  const rest = /^[^\p{L}\p{N}\s]*/u.exec(text.slice(end));
  return text.slice(0, end + (rest?.[0].length ?? 0));
}

function wholeWords(text: string, characters: number): string {
  if (/^\s/u.test(text.slice(characters))) return text.slice(0, characters);
  const space = text.slice(0, characters).search(/\s\S*$/u);
  return space < 0 ? "" : text.slice(0, space);
}
