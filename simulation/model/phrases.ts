export type SpokenLanguage = "en" | "tr";

/** Lines of which one is said, by seed and turn. */
type Choices = {
  /** Answers to statements. */
  readonly acknowledgements: readonly string[];
  /** Answers to a question for which there is neither a tool nor data. */
  readonly toQuestions: readonly string[];
  readonly invitations: readonly string[];
  readonly offers: readonly string[];
  readonly found: readonly string[];
  readonly failed: readonly string[];
  readonly goodbyes: readonly string[];
};
export type Choice = keyof Choices;

/** What was answered to a question, by what it was about. */
type Noted = {
  readonly yes: string;
  readonly no: string;
  readonly another_time: string;
};

type Lines = {
  readonly done: string;
  /** Before an answer from the data of the call. */
  readonly data: string;
  readonly appointment: Noted;
  readonly anything: Noted;
  readonly askToCome: string;
  readonly askWhen: string;
  /** Before the customer's own words about another time. */
  readonly timeNoted: string;
  readonly notClear: string;
  readonly badMoment: string;
  readonly stopCalling: string;
  /** Before the local time that was agreed. */
  readonly callAgreed: string;
  readonly callNoted: string;
  readonly callRefused: string;
  readonly person: string;
  readonly keys: string;
  readonly who: string;
  readonly again: string;
};

/**
 * All of its sentences. They promise nothing but to pass on what was said, which the record of the call does:
 * an owner without a model must not have promises made in their name, and nothing is booked or changed.
 */
export const PHRASES: Readonly<Record<SpokenLanguage, Choices & Lines>> = {
  en: {
    acknowledgements: [
      "I see, thank you.",
      "All right, I understand.",
      "Thank you for telling me.",
      "Of course.",
    ],
    toQuestions: [
      "That is a good question, but I am afraid I cannot answer it. I will pass it on.",
      "I am sorry, I do not have that information here. I will pass your question on.",
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
    data: "It says here:",
    appointment: {
      yes: "Thank you. I will pass on that you are coming.",
      no: "I understand. I will pass on that you are not coming.",
      another_time: "I understand. I will pass on that another time suits you better.",
    },
    anything: {
      yes: "Thank you. I will pass on that you said yes.",
      no: "I understand. I will pass on that you said no.",
      another_time: "I understand. I will pass on that another time suits you better.",
    },
    askToCome: "Will you come to your appointment?",
    askWhen: "I cannot change it myself. Which day and time would be good for you?",
    timeNoted: "Thank you, I will pass that on:",
    notClear: "I am sorry, I can only note a yes, a no, or another time.",
    badMoment: "I understand, this is not a good moment. I will pass that on. Goodbye!",
    stopCalling: "I understand, and I will pass on what you said. Goodbye!",
    callAgreed: "We will call you again, unless our plans change, on",
    callNoted: "I have noted when you would like to be called. I cannot promise a call. Goodbye!",
    callRefused: "I am sorry, no call can be agreed for that time. Goodbye!",
    person: "I cannot put you through, but I will pass on that you would like to speak to a person.",
    keys: "I have noted the keys that you pressed.",
    who: "I am a scripted assistant, not a person: I follow simple rules.",
    again: "I said:",
  },
  tr: {
    acknowledgements: [
      "Anladım, teşekkür ederim.",
      "Peki, anlıyorum.",
      "Bilgi için teşekkürler.",
      "Elbette.",
    ],
    toQuestions: [
      "Güzel bir soru, ancak ne yazık ki yanıtlayamıyorum. Sorunuzu ileteceğim.",
      "Üzgünüm, bu bilgi bende yok. Sorunuzu ileteceğim.",
    ],
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
    data: "Burada şöyle yazıyor:",
    appointment: {
      yes: "Teşekkür ederim. Geleceğinizi ileteceğim.",
      no: "Anlıyorum. Gelmeyeceğinizi ileteceğim.",
      another_time: "Anlıyorum. Başka bir zamanın size daha uygun olduğunu ileteceğim.",
    },
    anything: {
      yes: "Teşekkür ederim. Evet dediğinizi ileteceğim.",
      no: "Anlıyorum. Hayır dediğinizi ileteceğim.",
      another_time: "Anlıyorum. Başka bir zamanın size daha uygun olduğunu ileteceğim.",
    },
    askToCome: "Randevunuza gelecek misiniz?",
    askWhen: "Ben değiştiremiyorum. Hangi gün ve saat size uygun olur?",
    timeNoted: "Teşekkür ederim, şunu ileteceğim:",
    notClear: "Kusura bakmayın, yalnızca evet, hayır ya da başka bir zaman yanıtını not edebiliyorum.",
    badMoment: "Anlıyorum, şu an uygun değilsiniz. Bunu ileteceğim. Hoşça kalın!",
    stopCalling: "Anlıyorum, söylediğinizi ileteceğim. Hoşça kalın!",
    callAgreed: "Planımız değişmezse sizi yeniden arayacağız:",
    callNoted: "Ne zaman aranmak istediğinizi not ettim. Arama sözü veremiyorum. Hoşça kalın!",
    callRefused: "Üzgünüm, o zaman için bir arama kararlaştırılamıyor. Hoşça kalın!",
    person: "Sizi bağlayamıyorum, ama bir yetkiliyle görüşmek istediğinizi ileteceğim.",
    keys: "Bastığınız tuşları not ettim.",
    who: "Ben bir insan değilim, basit kurallarla konuşan yazılı bir asistanım.",
    again: "Şöyle demiştim:",
  },
};
