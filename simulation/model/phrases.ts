export type SpokenLanguage = "en" | "tr";

type Phrases = {
  /** Answers to statements. */
  readonly acknowledgements: readonly string[];
  /** Answers to a question for which there is no tool. */
  readonly toQuestions: readonly string[];
  readonly invitations: readonly string[];
  readonly offers: readonly string[];
  readonly found: readonly string[];
  readonly done: string;
  readonly failed: readonly string[];
  readonly goodbyes: readonly string[];
};

/**
 * All of its sentences. They promise nothing: an owner without a model must not have
 * promises made in their name.
 */
export const PHRASES: Readonly<Record<SpokenLanguage, Phrases>> = {
  en: {
    acknowledgements: [
      "I see, thank you.",
      "All right, I understand.",
      "Thank you for telling me.",
      "Of course.",
    ],
    toQuestions: [
      "That is a good question, but I am afraid I cannot answer it.",
      "I am sorry, I do not have that information here.",
    ],
    invitations: [
      "Is there anything you would like me to look up for you?",
      "What else can I do for you?",
      "How can I help you further?",
    ],
    offers: ["How may I help you?", "What can I do for you today?"],
    found: ["I have looked that up:", "Here is what I found:", "Thank you for waiting:"],
    done: "That is done.",
    failed: [
      "I am sorry, I could not find that out just now.",
      "I am afraid that did not work, I apologise.",
    ],
    goodbyes: [
      "Thank you very much for your time. Goodbye!",
      "It was a pleasure talking to you. Have a nice day, goodbye!",
    ],
  },
  tr: {
    acknowledgements: [
      "Anladım, teşekkür ederim.",
      "Peki, anlıyorum.",
      "Bilgi için teşekkürler.",
      "Elbette.",
    ],
    toQuestions: ["Güzel bir soru, ancak ne yazık ki yanıtlayamıyorum.", "Üzgünüm, bu bilgi bende yok."],
    invitations: [
      "Sizin için bakmamı istediğiniz bir şey var mı?",
      "Başka nasıl yardımcı olabilirim?",
      "Sizin için başka ne yapabilirim?",
    ],
    offers: ["Size nasıl yardımcı olabilirim?", "Bugün sizin için ne yapabilirim?"],
    found: ["Sizin için baktım:", "Bulduğum bilgi şu:", "Beklediğiniz için teşekkürler:"],
    done: "İşlem tamam.",
    failed: ["Üzgünüm, şu anda bunu öğrenemedim.", "Maalesef olmadı, özür dilerim."],
    goodbyes: [
      "Zaman ayırdığınız için çok teşekkür ederim. Hoşça kalın!",
      "Sizinle konuşmak bir zevkti. İyi günler, hoşça kalın!",
    ],
  },
};

/** Ends a call, whatever else was said. */
export const FAREWELL: Readonly<Record<SpokenLanguage, RegExp>> = {
  en: /\b(good ?bye|bye|that is all|that's all|that will be all|nothing else|have a (nice|good) (day|evening)|talk to you later)\b/,
  tr: /(hoşça ?kal|hoşçakal|görüşürüz|görüşmek üzere|iyi günler|iyi akşamlar|iyi geceler|güle güle|bu kadar|kapatıyorum|kapatabilir)/,
};

/** Ends a call when no question is asked as well. */
export const THANKS: Readonly<Record<SpokenLanguage, RegExp>> = {
  en: /\b(thanks|thank you|cheers|no thank)\b/,
  tr: /(teşekkür|sağ ?ol|eyvallah|mersi)/,
};
