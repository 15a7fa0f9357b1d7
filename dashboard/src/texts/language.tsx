import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { en, type TextKey, type Texts } from "./en.ts";
import { tr } from "./tr.ts";

export type Language = "en" | "tr";
export const LANGUAGES: readonly Language[] = ["en", "tr"];
const KEPT_AS = "ringfold-language";
const FRAME: Readonly<Record<Language, Texts<TextKey>>> = { en, tr };

type Speaking = { readonly language: Language; readonly speak: (language: Language) => void };
const SpeakingContext = createContext<Speaking>({ language: "en", speak: () => undefined });

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  const wanted = kept ?? navigator.language;
  return wanted.startsWith("tr") ? "tr" : "en";
}

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const speaking = useMemo(
    () => ({
      language,
      speak: (next: Language) => {
        localStorage.setItem(KEPT_AS, next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <SpeakingContext value={speaking}>{children}</SpeakingContext>;
}

export const useLanguage = (): Speaking => useContext(SpeakingContext);

export type Values = Readonly<Record<string, string | number>>;
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** The texts of the frame, or those of a page: `useTexts({en, tr})`. */
export function useTexts(): Say<TextKey>;
export function useTexts<Key extends string>(own: Readonly<Record<Language, Texts<Key>>>): Say<Key>;
export function useTexts(own: Readonly<Record<Language, Texts<string>>> = FRAME): Say<string> {
  const { language } = useLanguage();
  const texts = own[language];
  return useCallback((key, values) => filled(texts[key] ?? key, values), [texts]);
}

/** `{count}` is its value; `{count|person|people}` the first word for 1, else the second. */
function filled(text: string, values: Values = {}): string {
  return text.replaceAll(/\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}/g, (whole, name: string, ...words: string[]) =>
    String(words[0] === undefined ? (values[name] ?? whole) : words[`${values[name]}` === "1" ? 0 : 1]),
  );
}
