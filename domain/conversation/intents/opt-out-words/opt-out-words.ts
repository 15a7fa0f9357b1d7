/**
 * How one language says it. Each entry is the source of a regular expression over whole words of
 * `foldedWords`, apostrophes left out: `don't` is `dont`, a blank before and after each word. No gap without
 * a bound, so that looking through a text is linear.
 */
export type OptOutWords = {
  /** A wish never to be called again. */
  readonly asks: readonly string[];
  /** A time, a place, a condition, another way to be reached: the wish is not for ever, or not for all. */
  readonly conditions: readonly string[];
  /** The contrary of the wish. */
  readonly negated: readonly string[];
  /** Asks about the wish, with or without a question mark. */
  readonly questions: readonly string[];
  /** What a sentence with a question mark must have to be a wish: a request in the form of a question. */
  readonly polite: readonly string[];
  /** Somebody else's words. */
  readonly reported: readonly string[];
  /** Words of a voicemail greeting, anywhere. */
  readonly voicemail: readonly string[];
};

/** What follows directly, or nothing does: `don't call me` of `don't call me Bob` is another matter. */
export function thenOnly(...words: readonly string[]): string {
  return `(?= (?:$|(?:${words.join("|")}) ))`;
}

/** Any of these, up to so many. */
export function upTo(most: number, ...words: readonly string[]): string {
  return `(?:(?:${words.join("|")}) ){0,${most}}`;
}
