import { useEffect, useRef } from "react";
import { useLanguage } from "../texts/language.tsx";
import { interrupt, say, speakAloud, spoke } from "./phone-line.ts";
import type { Line } from "./phone-state.ts";
import { startVoice, type Voice } from "./voice.ts";

const LOCALES = { en: "en-US", tr: "tr-TR" } as const;

/** During a call: speaks the assistant's words, and listens to the user. */
export function useVoice(isOn: boolean, lines: readonly Line[]): void {
  const { language } = useLanguage();
  const voice = useRef<Voice | null>(null);
  /** How many characters of each line were passed to the voice. */
  const given = useRef(new Map<number, number>());
  useEffect(() => {
    if (!isOn) return;
    const ears = {
      onBegin: () => {
        voice.current?.hush();
        interrupt();
      },
      onSaid: say,
    };
    voice.current = startVoice(LOCALES[language], ears);
    speakAloud(voice.current !== null);
    return () => {
      speakAloud(false);
      voice.current?.stop();
      voice.current = null;
    };
  }, [isOn, language]);
  useEffect(() => {
    if (!isOn) return;
    for (const [place, { role, text, shown, whole, cut }] of lines.entries()) {
      if (role !== "assistant") continue;
      if (cut) voice.current?.hush();
      const from = given.current.get(place) ?? shown;
      const until = cut ? from : whole ? text.length : endOfSentence(text);
      given.current.set(place, Math.max(from, until));
      if (until > from) voice.current?.speak(text.slice(from, until), spoke);
    }
  }, [isOn, lines]);
}

/** Sentences are spoken as a whole, because a voice needs their melody. */
const endOfSentence = (text: string): number =>
  Math.max(0, ...[". ", "? ", "! "].map((end) => text.lastIndexOf(end) + (text.includes(end) ? 2 : 0)));
