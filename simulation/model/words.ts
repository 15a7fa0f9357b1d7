import type { SpokenLanguage } from "./phrases.ts";

/** Words of any sentence that say nothing about its subject. */
const EMPTY_WORDS = new Set(
  (
    "the and for you your yours can could would will shall with that this what when where which who how why are was were has have had not but from into " +
    "about please just like want need know tell give get let him her his its our their they them she does did may might must should there here then than " +
    "hello good day yes okay thank thanks some any one asks customer caller call calls user when use uses used using tool function number numbers " +
    "bir bu şu ve ile için mi mı mu mü ne nasıl neden nerede kim ben sen siz biz bana sana size bize benim senin sizin bizim var yok olan olarak gibi " +
    "çok daha ama veya evet hayır lütfen merhaba günaydın tamam istiyorum isterim eder misiniz mısınız müşteri arayan kullan numara numarası numaralı"
  ).split(" "),
);

/** Letters and digits in lower case; an apostrophe ends a word (`siparişim'in`, `order's`). */
export function wordsOf(text: string, language: SpokenLanguage): readonly string[] {
  return text.toLocaleLowerCase(language).match(/[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The words that say what a text is about. */
export function tellingWords(text: string, language: SpokenLanguage): readonly string[] {
  return wordsOf(text, language).filter(
    (word) => word.length > 2 && !EMPTY_WORDS.has(word) && !/\d/.test(word),
  );
}

/** Endings are ignored: `orders` is `order`, `siparişimi` is `sipariş`. */
export function isSameWord(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short === long || (short.length >= 4 && long.startsWith(short));
}

export function sharesWords(one: readonly string[], other: readonly string[]): boolean {
  return one.some((word) => other.some((each) => isSameWord(word, each)));
}

const TURKISH_LETTERS = /[ğışĞİŞ]/;
const TURKISH_WORDS =
  /(^|[^\p{L}])(merhaba|alo|efendim|evet|hayır|tamam|lütfen|nasıl|ne|bir|ve|için|ben|siz|var|yok|misiniz|selam|peki|teşekkürler)(?=$|[^\p{L}])/iu;
const ENGLISH_WORDS =
  /(^|[^\p{L}])(the|is|are|you|i|my|me|what|who|how|hello|hi|yes|no|please|can|thanks|thank|and|of|to|a|it|bye)(?=$|[^\p{L}])/iu;

/** The language of the latest text that shows one; else English. */
export function languageOf(newestFirst: Iterable<string>): SpokenLanguage {
  for (const text of newestFirst) {
    const shown = shownLanguage(text);
    if (shown !== null) return shown;
  }
  return "en";
}

function shownLanguage(text: string): SpokenLanguage | null {
  if (TURKISH_LETTERS.test(text)) return "tr";
  if (ENGLISH_WORDS.test(text)) return "en";
  return TURKISH_WORDS.test(text) ? "tr" : null;
}
