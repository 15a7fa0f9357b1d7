import { beginningOf } from "../../../domain/shared/storable-text.ts";

/** A word that is longer is passed on in pieces; nothing that is spoken has such words. */
const LONGEST_WORD = 1_000;
const LONGEST_LABEL = 200;
const LONGEST_ADDRESS = 1_000;
/** What is held is copied for each link, so a long text is taken in pieces. */
const TAKEN_AT_ONCE = 512;

/**
 * Written text as words for the ear: no marks of Markdown, no emoji, a link as its words, an address as its
 * host. The text comes in pieces that are split anywhere; a word is passed on with what follows it.
 */
export function plainWords(): { take(text: string): string; rest(): string } {
  let held = "";
  let lineBegins = true;

  const give = (word: string, space: string): string => {
    const plain = plainWord(word, lineBegins);
    const breaks = space.includes("\n");
    const isAtBegin = lineBegins;
    lineBegins = breaks || (isAtBegin && plain === "");
    if (plain === "") return breaks && !isAtBegin ? "\n" : "";
    return plain + (breaks ? "\n" : space === "" ? "" : " ");
  };
  const step = (isLast: boolean): string | null => {
    const [begun] = /^[^\s[]*/.exec(held) ?? [""];
    if (begun.length > LONGEST_WORD) {
      const piece = beginningOf(begun, LONGEST_WORD / 2);
      held = held.slice(piece.length);
      return give(piece, "");
    }
    const link = linkIn(held, isLast);
    if (link === "open") return null;
    if (link !== null) {
      held = link;
      return "";
    }
    const [, word = "", space = ""] = /^(\S*)(\s*)/.exec(held) ?? [];
    if (held === "" || (space === "" && !isLast)) return null;
    held = held.slice(word.length + space.length);
    return give(word, space);
  };
  const all = (isLast: boolean): string => {
    const given: string[] = [];
    for (let next = step(isLast); next !== null; next = step(isLast)) given.push(next);
    return given.join("");
  };
  return {
    take(text) {
      let given = "";
      for (let from = 0; from < text.length; from += TAKEN_AT_ONCE) {
        held += text.slice(from, from + TAKEN_AT_ONCE);
        given += all(false);
      }
      return given;
    },
    rest: () => all(true),
  };
}

const LABEL = /^\[([^\][\n]*)/;
const REFERENCE = /^\[\^?\d{1,3}\]/;

/**
 * The text in which the link of its first word has become its label. `open`: more of it has to come. null:
 * its first word has no link.
 */
function linkIn(text: string, isLast: boolean): string | "open" | null {
  const place = /^[^\s[]*\[/.exec(text)?.[0].length ?? 0;
  if (place === 0) return null;
  const before = text.slice(0, place - 1).replace(/!$/, "");
  const from = text.slice(place - 1, place + LONGEST_LABEL + LONGEST_ADDRESS);
  const [begun = "", label = ""] = LABEL.exec(from) ?? [];
  const end = linkEnd(from, begun.length);
  if (end === "open" && !isLast && from.length < LONGEST_LABEL + LONGEST_ADDRESS) return "open";
  if (typeof end === "number") return `${before}${label}${text.slice(place - 1 + end)}`;
  const reference = REFERENCE.exec(from);
  return before + text.slice(reference === null ? place : place - 1 + reference[0].length);
}

/**
 * Where a link ends whose label ends before `labelEnd`; null: it is none. It is not looked for sign by sign,
 * because of many that begin, each looks as far.
 */
function linkEnd(text: string, labelEnd: number): number | "open" | null {
  if (!"](".startsWith(text.slice(labelEnd, labelEnd + 2))) return null;
  const closing = text.indexOf(")", labelEnd);
  const lineEnd = text.indexOf("\n", labelEnd);
  if (lineEnd >= 0 && (closing < 0 || lineEnd < closing)) return null;
  return closing < 0 ? "open" : closing + 1;
}

const LINE_MARK = /^(?:#{1,6}|[-*+•·]|>+|[-*_=]{3,}|\|?(?::?-{3,}:?\|?)+)$/;
const FENCE = /^`{3,}[\w+-]*$/;
const EMPHASIS = /\*{2,3}|_{2,3}|~~|`/g;
const OPENING_EMPHASIS = /^([("'“‘]*)[*_]+(?=\p{L})/u;
const CLOSING_EMPHASIS = /(?<=[\p{L}.!?…])[*_]+(?=\p{P}*$)/u;
const ADDRESS =
  /\b(?:https?:\/\/(?:www\.)?|www\.|mailto:)([^\s/?#)\]]*[^\s/?#)\].,;:!])[^\s)\]]*?(?=[.,;:!?)\]]*$)/iu;
/** Pictures, with the signs that join and colour them; not ©, ® and ™. */
const PICTURES =
  /(?![©®™])(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\u20e3|\ufe0e|\ufe0f)/gu;

function plainWord(word: string, lineBegins: boolean): string {
  if (FENCE.test(word) || (lineBegins && LINE_MARK.test(word))) return "";
  const plain = word
    .replaceAll(PICTURES, "")
    .replaceAll(/[|\]]/g, "")
    .replaceAll(EMPHASIS, "")
    .replace(OPENING_EMPHASIS, "$1")
    .replace(CLOSING_EMPHASIS, "");
  return plain.replace(ADDRESS, "$1");
}
