/** Lines for which the owner gave no text. */
export type DefaultTexts = {
  /** While the model or a tool is slow. */
  readonly filler: string;
  readonly prompts: readonly [string, string];
  /** Instead of an answer that failed. */
  readonly fallback: string;
  /** Before a call is ended because of an error of ours. */
  readonly apology: string;
  /** The maximum duration is near. */
  readonly warning: string;
};

const ENGLISH: DefaultTexts = {
  filler: "One moment, please.",
  prompts: ["Are you still there?", "I cannot hear you. Are you still on the line?"],
  fallback: "I am sorry, I could not follow that. Could you say it again?",
  apology: "I am sorry, something does not work on our side. Please call us again later. Goodbye.",
  warning: "I am sorry, our time is nearly over.",
};

/** By the first part of a BCP 47 tag. */
const BY_LANGUAGE: Readonly<Record<string, DefaultTexts>> = {
  en: ENGLISH,
  tr: {
    filler: "Bir saniye lütfen.",
    prompts: ["Hâlâ orada mısınız?", "Sizi duyamıyorum. Hâlâ hatta mısınız?"],
    fallback: "Özür dilerim, bunu anlayamadım. Tekrar eder misiniz?",
    apology: "Özür dilerim, bizim tarafımızda bir sorun var. Lütfen daha sonra tekrar arayın. İyi günler.",
    warning: "Kusura bakmayın, süremiz dolmak üzere.",
  },
  de: {
    filler: "Einen Moment, bitte.",
    prompts: ["Sind Sie noch da?", "Ich höre Sie nicht. Sind Sie noch am Apparat?"],
    fallback: "Entschuldigung, das habe ich nicht verstanden. Können Sie das wiederholen?",
    apology:
      "Entschuldigung, bei uns funktioniert gerade etwas nicht. Bitte rufen Sie später wieder an. Auf Wiederhören.",
    warning: "Entschuldigung, unsere Zeit ist gleich um.",
  },
};

/** English for languages that are not in the table. */
export function textsFor(language: string | null): DefaultTexts {
  const tag = language?.split("-")[0]?.toLowerCase() ?? "en";
  return Object.hasOwn(BY_LANGUAGE, tag) ? (BY_LANGUAGE[tag] ?? ENGLISH) : ENGLISH;
}
