/** The browser's speech recognition; it sends audio to the browser's maker. */
type Recognition = EventTarget & {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  abort(): void;
};
type RecognitionEvent = Event & {
  readonly resultIndex: number;
  readonly results: ArrayLike<{
    readonly isFinal: boolean;
    readonly [place: number]: { readonly transcript: string };
  }>;
};
type RecognitionMaker = new () => Recognition;

function recognitionMaker(): RecognitionMaker | null {
  const all: Readonly<Record<string, unknown>> = { ...pick("SpeechRecognition", "webkitSpeechRecognition") };
  const found = all["SpeechRecognition"] ?? all["webkitSpeechRecognition"];
  return typeof found === "function" ? (found as RecognitionMaker) : null;
}
const pick = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(window, name)]));

/** Voice is offered only if the browser can listen and speak, over an encrypted connection. */
export const canTalk = (): boolean =>
  window.isSecureContext && recognitionMaker() !== null && "speechSynthesis" in window;

export type Voice = {
  /** Speaks a text; `onSpoken` gets how many more characters were spoken. */
  speak(text: string, onSpoken: (characters: number) => void): void;
  hush(): void;
  stop(): void;
};

export type Ears = { readonly onBegin: () => void; readonly onSaid: (text: string) => void };

/** Listens until it is stopped. null: the browser cannot. */
export function startVoice(language: string, { onBegin, onSaid }: Ears): Voice | null {
  const Maker = recognitionMaker();
  if (Maker === null) return null;
  const ears = new Maker();
  let isStopped = false;
  ears.lang = language;
  ears.continuous = true;
  ears.interimResults = true;
  ears.addEventListener("speechstart", onBegin);
  ears.addEventListener("result", (event) => {
    const { results, resultIndex } = event as RecognitionEvent;
    for (const result of Array.from(results).slice(resultIndex)) {
      const text = result[0]?.transcript.trim() ?? "";
      if (result.isFinal && text !== "") onSaid(text);
    }
  });
  // Browsers stop listening after a silence.
  ears.addEventListener("end", () => {
    if (!isStopped) setTimeout(() => !isStopped && ears.start(), 300);
  });
  ears.start();
  return {
    speak: (text, onSpoken) => speak(language, text, onSpoken),
    hush: () => speechSynthesis.cancel(),
    stop: () => {
      isStopped = true;
      ears.abort();
      speechSynthesis.cancel();
    },
  };
}

function speak(language: string, text: string, onSpoken: (characters: number) => void): void {
  const utterance = new SpeechSynthesisUtterance(text);
  let spoken = 0;
  const reach = (place: number) => {
    if (place > spoken) onSpoken(place - spoken);
    spoken = Math.max(spoken, place);
  };
  utterance.lang = language;
  utterance.addEventListener("boundary", ({ charIndex }) => reach(charIndex));
  utterance.addEventListener("end", () => reach(text.length));
  speechSynthesis.speak(utterance);
}
