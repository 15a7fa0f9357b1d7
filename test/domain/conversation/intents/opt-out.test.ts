import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  asksNotToBeCalled,
  type OptOutLanguage,
  optOutConfirmation,
} from "../../../../domain/conversation/intents/opt-out.ts";
import { WORDS_CHARACTERS } from "../../../../domain/conversation/limits.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../../property-runs.ts";
import { CORPUS, countOf, LANGUAGES, type Spoken } from "./corpus.ts";

const asks = ({ kind }: Spoken) => kind === "asks";
const WISHES = CORPUS.filter(asks);

/** Sentences that are heard as something else than they are. */
function misheard(sentences: readonly Spoken[], as: (words: string) => string = (words) => words): string[] {
  return sentences
    .filter((each) => asksNotToBeCalled(as(each.words), each.language) !== asks(each))
    .map(({ language, kind, words }) => `${language}, ${kind}: ${as(words)}`);
}

describe("the corpus", () => {
  it("has enough of each kind", () => {
    for (const language of LANGUAGES) expect(countOf("asks", language)).toBeGreaterThanOrEqual(25);
    expect(CORPUS.length).toBeGreaterThanOrEqual(300);
    expect(countOf("restricted")).toBeGreaterThanOrEqual(40);
    expect(countOf("negated")).toBeGreaterThanOrEqual(20);
    expect(countOf("voicemail")).toBeGreaterThanOrEqual(20);
  });

  it.each(LANGUAGES)("%s: every wish is heard, and nothing else is taken for one", (language) => {
    expect(misheard(CORPUS.filter((each) => each.language === language))).toEqual([]);
  });

  it("in English is heard whatever the language of the assistant", () => {
    const english = CORPUS.filter(({ language }) => language === "en");
    for (const language of [...LANGUAGES, "en-GB", "tr-TR", "zh", null])
      expect(
        english.filter((each) => asksNotToBeCalled(each.words, language) !== asks(each)),
        String(language),
      ).toEqual([]);
  });

  it("in another language is not listened to where nobody speaks it", () => {
    expect(asksNotToBeCalled("beni bir daha aramayın", "tr-TR")).toBe(true);
    expect(asksNotToBeCalled("beni bir daha aramayın", "TR")).toBe(true);
    expect(asksNotToBeCalled("beni bir daha aramayın", "de")).toBe(false);
    expect(asksNotToBeCalled("beni bir daha aramayın", null)).toBe(false);
    expect(asksNotToBeCalled("beni bir daha aramayın", "constructor")).toBe(false);
  });
});

/** What makes of every wish something else: said behind it, or before it. */
const CHANGED: Readonly<Record<OptOutLanguage, Record<"behind" | "before", readonly string[]>>> = {
  en: {
    behind: [
      "before five",
      "today",
      "at this hour",
      "unless it is urgent",
      "this week",
      "on sundays",
      "until I am back",
    ],
    before: ["my husband said", "he says", "she told you", "I did not say", "what happens if I say"],
  },
  tr: {
    behind: [
      "saat beşten önce",
      "bugün",
      "bu saatte",
      "pazar günleri",
      "bu hafta",
      "dedi",
      "demedim",
      "dersem ne olur",
      "yarına kadar",
      "acil değilse",
      "mesai saatlerinde",
    ],
    before: ["babam dedi ki", "eşim diyor ki", "demedim ki"],
  },
  de: {
    behind: [
      "vor fünf uhr",
      "heute",
      "um diese uhrzeit",
      "außer es ist dringend",
      "diese woche",
      "bis ich mich melde",
    ],
    before: ["mein mann hat gesagt", "er sagt", "ich habe nicht gesagt", "was passiert wenn ich sage"],
  },
  fr: {
    behind: [
      "avant cinq heures",
      "aujourd'hui",
      "à cette heure",
      "sauf si c'est urgent",
      "cette semaine",
      "le dimanche",
    ],
    before: ["mon mari a dit", "elle dit", "je n'ai pas dit", "qu'est-ce qui arrive si je dis"],
  },
  es: {
    behind: [
      "antes de las cinco",
      "hoy",
      "a esta hora",
      "a menos que sea urgente",
      "esta semana",
      "los domingos",
    ],
    before: ["mi marido dijo", "ella dice", "no dije", "qué pasa si digo"],
  },
};

describe("a wish is none", () => {
  it.each(LANGUAGES)(
    "%s: with a time or condition, in another's mouth, denied, or asked about",
    (language) => {
      const wishes = WISHES.filter((each) => each.language === language).map(({ words }) =>
        words.replaceAll(/[^\p{L}\p{M}\p{N}'’-]+/gu, " ").trim(),
      );
      const { behind, before } = CHANGED[language];
      const changed = wishes.flatMap((wish) => [
        ...behind.flatMap((words) => [`${wish} ${words}`, `${wish}. ${words}.`, `${wish}... ${words}`]),
        ...before.flatMap((words) => [`${words} ${wish}`, `${words}: “${wish}”`, `${words}... ${wish}.`]),
      ]);
      expect(changed.filter((words) => asksNotToBeCalled(words, language))).toEqual([]);
    },
  );

  it("where its rest is parted from it by a full stop, because somebody paused", () => {
    expect(asksNotToBeCalled("Don't call me. Before five.", "en")).toBe(false);
    expect(asksNotToBeCalled("My husband said. Never call me again.", "en")).toBe(false);
    expect(asksNotToBeCalled("Mein Mann sagt. Rufen Sie nie wieder an.", "de")).toBe(false);
  });

  it("beside words of a voicemail greeting", () => {
    const greeting = "You have reached Ada. Leave a message after the tone.";
    const sentences = WISHES.flatMap(({ words, language }) => [
      { words: `${greeting} ${words}`, language },
      { words: `${words}. ${greeting}`, language },
    ]);
    expect(sentences.filter(({ words, language }) => asksNotToBeCalled(words, language))).toEqual([]);
  });

  it("but in a sentence of its own it is one", () => {
    expect(asksNotToBeCalled("You called me twice today. Stop calling me.", "en")).toBe(true);
    expect(asksNotToBeCalled("Why do you keep doing this to us? Take me off your list!", "en")).toBe(true);
    expect(asksNotToBeCalled("Stop calling me. If you call again I will tell the police.", "en")).toBe(true);
    expect(asksNotToBeCalled("No, borren mi número.", "es")).toBe(true);
    expect(asksNotToBeCalled("no borren mi número", "es")).toBe(false);
  });
});

const FILLERS: Readonly<Record<OptOutLanguage, Record<"before" | "behind", readonly string[]>>> = {
  en: { before: ["uh,", "um", "hello?", "well"], behind: ["please", "okay", "thanks", "Bye."] },
  tr: { before: ["ıı,", "şey", "alo?", "ya"], behind: ["lütfen", "tamam mı", "teşekkürler", "İyi günler."] },
  de: { before: ["äh,", "also", "hallo?", "hm"], behind: ["bitte", "okay", "danke", "Auf Wiederhören."] },
  fr: { before: ["euh,", "bon", "allô ?", "bah"], behind: ["s'il vous plaît", "merci", "Au revoir."] },
  es: { before: ["eh,", "bueno", "¿aló?", "mire"], behind: ["por favor", "gracias", "Adiós."] },
};

const spoken = fc.constantFrom(...CORPUS);
const RUNS = { numRuns: PROPERTY_RUNS };

describe("what is said is heard", PROPERTY_TIMEOUT, () => {
  test.prop([spoken, fc.array(fc.boolean(), { minLength: 1 })], RUNS)("in whatever case", (each, upper) => {
    const tag = each.language === "tr" ? "tr" : "en";
    const written = (words: string) =>
      [...words]
        .map((sign, place) => (upper[place % upper.length] ? sign.toLocaleUpperCase(tag) : sign))
        .join("");
    expect(misheard([each], written)).toEqual([]);
  });

  test.prop([spoken, fc.constantFrom("  ", "\t", "\n", " \u00a0 ")], RUNS)(
    "with whatever stands between words",
    (each, blank) => {
      expect(misheard([each], (words) => `${blank}${words.replaceAll(" ", blank)}${blank}`)).toEqual([]);
    },
  );

  test.prop([spoken.filter(({ kind }) => kind !== "questions")], RUNS)(
    "without punctuation at its end",
    (each) => {
      expect(misheard([each], (words) => words.replace(/[.!?…\s]+$/u, ""))).toEqual([]);
    },
  );

  it.each(LANGUAGES)("between fillers, in %s", (language) => {
    const { before, behind } = FILLERS[language];
    const sentences = CORPUS.filter((each) => each.language === language);
    const missed = before.flatMap((one) =>
      behind.flatMap((other) => misheard(sentences, (words) => `${one} ${words} ${other}`)),
    );
    expect(missed).toEqual([]);
  });

  test.prop(
    [fc.array(fc.stringMatching(/^[\p{L}]{1,9}$/u), { maxLength: 200 }), fc.constantFrom(...LANGUAGES)],
    RUNS,
  )("and not in words that say nothing", (words, language) => {
    expect(asksNotToBeCalled(words.join(" "), language)).toBe(false);
  });
});

describe("of a long turn", () => {
  const long = "and then we talked a lot. ".repeat(WORDS_CHARACTERS / 10);

  it("the end is looked at", () => {
    expect(asksNotToBeCalled(`${long} Never call me again.`, "en")).toBe(true);
    expect(asksNotToBeCalled(`Never call me again. ${long}`, "en")).toBe(false);
  });

  it("no sentence is looked at of which the beginning is cut off", () => {
    const before = "he said ".padEnd(WORDS_CHARACTERS, "so and so ");
    expect(asksNotToBeCalled(`${before} never call me again`, "en")).toBe(false);
    expect(asksNotToBeCalled(`${before}. never call me again`, "en")).toBe(true);
    const whole = `${"so ".repeat((WORDS_CHARACTERS - 21) / 3)}never call me again`;
    expect(whole.length).toBeLessThanOrEqual(WORDS_CHARACTERS);
    expect(asksNotToBeCalled(whole, "en")).toBe(true);
  });
});

it("is confirmed in the assistant's language, else in English", () => {
  expect(optOutConfirmation("tr-TR")).toBe("Anladım. Sizi bir daha aramayacağız. İyi günler.");
  expect(optOutConfirmation("de_AT")).toContain("nicht mehr an");
  for (const language of ["en-US", "zh", "__proto__", "", null])
    expect(optOutConfirmation(language)).toContain("We will not call you again");
  expect(new Set(LANGUAGES.map(optOutConfirmation)).size).toBe(LANGUAGES.length);
});
