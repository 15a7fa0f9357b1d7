import { WORDS_CHARACTERS } from "../limits.ts";
import { ENGLISH } from "./opt-out-words/english.ts";
import { FRENCH } from "./opt-out-words/french.ts";
import { GERMAN } from "./opt-out-words/german.ts";
import type { OptOutWords } from "./opt-out-words/opt-out-words.ts";
import { SPANISH } from "./opt-out-words/spanish.ts";
import { TURKISH } from "./opt-out-words/turkish.ts";
import { foldedWords } from "./spoken-intents.ts";

/** The languages in which an opt-out is heard and confirmed. */
export type OptOutLanguage = "en" | "tr" | "de" | "fr" | "es";

type Rules = Readonly<Record<keyof OptOutWords, RegExp>>;

type Listening = { readonly rules: Rules; readonly confirmation: string };

const LISTENING: Readonly<Record<OptOutLanguage, Listening>> = {
  en: { rules: rulesOf(ENGLISH), confirmation: "I understand. We will not call you again. Goodbye." },
  tr: { rules: rulesOf(TURKISH), confirmation: "Anladım. Sizi bir daha aramayacağız. İyi günler." },
  de: {
    rules: rulesOf(GERMAN),
    confirmation: "Ich habe verstanden. Wir rufen Sie nicht mehr an. Auf Wiederhören.",
  },
  fr: { rules: rulesOf(FRENCH), confirmation: "C'est compris. Nous ne vous appellerons plus. Au revoir." },
  es: { rules: rulesOf(SPANISH), confirmation: "Entendido. No volveremos a llamarle. Adiós." },
};

/** So short a sentence may be the rest of the one before: `Don't call me. Before five.` */
const REST_WORDS = 5;

/** A clear no before a request is a sentence of its own: `No, borren mi número`. Dots in a row are a pause. */
const ENDS_SENTENCE = /((?<!\.)\.(?![.\d])|[!?;¿¡]|(?<=(?:^|\P{L})no),)/iu;
const APOSTROPHES = /(?<=\p{L})['’ʼ`´](?=\p{L})/gu;

type Sentence = { readonly words: string; readonly isQuestion: boolean };

/**
 * Whether whoever said these words asks never to be called again.
 *
 * `words`: all words of the turn so far, messages joined by a blank or a line end, with or without
 * punctuation. `language`: of the assistant, a BCP 47 tag or its first part; that language and English
 * are listened to, English alone where it is null or not one of ours.
 *
 * Each sentence is judged by itself, with a short one before and behind it, which may be parted from it by a
 * pause alone. It counts against a wish when its sentence also has a time or condition, asks about it, negates
 * it or reports another's words; text without punctuation is one sentence. Words of a voicemail greeting
 * anywhere count against all. A false match is worse than a missed one, which the model still hears
 * (docs/conversation.md).
 *
 * Of a turn of more than `WORDS_CHARACTERS` characters, those at its end are looked at, from the first sentence
 * that begins among them: what came before was the end of the turn when it was said. Linear in that.
 */
export function asksNotToBeCalled(words: string, language: string | null): boolean {
  const sentences = sentencesOf(words);
  const own = languageOf(language);
  const heard = own === "en" ? [LISTENING.en] : [LISTENING[own], LISTENING.en];
  const asked = heard.filter(({ rules }) => sentences.some((_, place) => isWish(sentences, place, rules)));
  return (
    asked.length > 0 &&
    !heard.some(({ rules }) => sentences.some(({ words: said }) => rules.voicemail.test(said)))
  );
}

/**
 * What is said when a wish was heard and the assistant has no words of its own for it; English where the
 * language is null or not one of ours.
 */
export function optOutConfirmation(language: string | null): string {
  return LISTENING[languageOf(language)].confirmation;
}

function languageOf(language: string | null): OptOutLanguage {
  const tag = language?.split(/[-_]/, 1)[0]?.toLowerCase() ?? "en";
  return isListenedTo(tag) ? tag : "en";
}

function isListenedTo(tag: string): tag is OptOutLanguage {
  return Object.hasOwn(LISTENING, tag);
}

/** Any of these, as whole words. */
function anyOf(sources: readonly string[]): RegExp {
  return new RegExp(` (?:${sources.join("|")})(?= |(?<= ))`);
}

function rulesOf(words: OptOutWords): Rules {
  return {
    asks: anyOf(words.asks),
    conditions: anyOf(words.conditions),
    negated: anyOf(words.negated),
    questions: anyOf(words.questions),
    polite: anyOf(words.polite),
    reported: anyOf(words.reported),
    voicemail: anyOf(words.voicemail),
  };
}

function sentencesOf(text: string): readonly Sentence[] {
  const isCut = text.length > WORDS_CHARACTERS;
  const parts = text.slice(-WORDS_CHARACTERS).replace(APOSTROPHES, "").split(ENDS_SENTENCE);
  const sentences: Sentence[] = [];
  // What was said stands at even places, what ended it behind it.
  for (let place = isCut ? 2 : 0; place < parts.length; place += 2) {
    const words = foldedWords(parts[place] ?? "");
    const isQuestion = parts[place + 1] === "?";
    const last = sentences.at(-1);
    if (words.trim() !== "") sentences.push({ words, isQuestion });
    else if (isQuestion && last !== undefined)
      sentences[sentences.length - 1] = { words: last.words, isQuestion };
  }
  return sentences;
}

function isWish(sentences: readonly Sentence[], place: number, rules: Rules): boolean {
  const sentence = sentences[place];
  if (sentence === undefined || !rules.asks.test(sentence.words)) return false;
  const { words, isQuestion } = sentence;
  if (isQuestion && !rules.polite.test(words)) return false;
  const behind = restIn(sentences[place + 1]);
  const whole = [restIn(sentences[place - 1]), words, behind];
  const against = [rules.negated, rules.questions, rules.reported];
  return !(
    rules.conditions.test(words) ||
    rules.conditions.test(behind) ||
    against.some((rule) => whole.some((part) => rule.test(part)))
  );
}

/** A neighbour that is short enough to be a rest of the sentence, and no question of its own; else nothing. */
function restIn(sentence: Sentence | undefined): string {
  if (sentence === undefined || sentence.isQuestion) return "";
  return sentence.words.trim().split(" ", REST_WORDS + 1).length <= REST_WORDS ? sentence.words : "";
}
