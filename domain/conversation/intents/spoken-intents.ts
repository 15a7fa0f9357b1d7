import { IDIOMS, INTENT_WORDS, SPOKEN_INTENTS, type SpokenIntent } from "./intent-words.ts";

/** The latest words count: of a long turn only so many characters at its end are looked at. */
const LOOKED_AT = 600;

const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;

/**
 * A text for comparisons: lower case without marks, words between single blanks, a blank at either end.
 * `Hayır!` and `HAYIR` are ` hayir `.
 */
export function foldedWords(text: string): string {
  const plain = text.normalize("NFKD").replace(MARKS, "").toLowerCase().replaceAll("ı", "i");
  return ` ${plain.replace(BETWEEN_WORDS, " ").trim()} `;
}

/** A last word that ends with `-` may have any ending. */
function sought(words: string): string {
  return words.endsWith("-") ? foldedWords(words).trimEnd() : foldedWords(words);
}

const SOUGHT = SPOKEN_INTENTS.map((intent) => ({
  intent,
  words: Object.values(INTENT_WORDS[intent]).flat().map(sought),
}));
const MEANT = IDIOMS.map(([said, meant]) => [foldedWords(said), foldedWords(meant)] as const);

/**
 * Everything that was meant in these words, in whatever language. Plain words are looked for, no grammar: a
 * caller decides what goes before what.
 */
export function spokenIntents(words: string): ReadonlySet<SpokenIntent> {
  const latest = words.slice(-LOOKED_AT);
  let text = foldedWords(latest);
  for (const [said, meant] of MEANT) if (text.includes(said)) text = text.replaceAll(said, meant);
  const meant = new Set<SpokenIntent>();
  for (const { intent, words: all } of SOUGHT) if (all.some((each) => text.includes(each))) meant.add(intent);
  if (latest.includes("?")) meant.add("question");
  return meant;
}

export type Answer = "yes" | "no" | "another_time";

/** The answer to a yes-or-no question; null: none. Who wants another time often begins with a no. */
export function answerIn(meant: ReadonlySet<SpokenIntent>): Answer | null {
  if (meant.has("another_time")) return "another_time";
  if (meant.has("no")) return "no";
  return meant.has("yes") ? "yes" : null;
}
