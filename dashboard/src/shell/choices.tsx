import { useSyncExternalStore } from "react";
import { LANGUAGES, useLanguage, useTexts } from "../texts/language.tsx";
import styles from "./rail.module.css";

const NAMES = { en: "English", tr: "Türkçe" } as const;

export function LanguageChoice() {
  const say = useTexts();
  const { language, speak } = useLanguage();
  return (
    <select
      name="language"
      aria-label={say("language")}
      className={styles.choice}
      value={language}
      onChange={({ target }) => speak(target.value === "tr" ? "tr" : "en")}
    >
      {LANGUAGES.map((each) => (
        <option key={each} value={each} lang={each}>
          {NAMES[each]}
        </option>
      ))}
    </select>
  );
}

const KEPT_AS = "ringfold-theme";
const THEMES = ["auto", "light", "dark"] as const;

const watchers = new Set<() => void>();
const themeNow = () => localStorage.getItem(KEPT_AS) ?? "auto";

export function chooseTheme(theme: string): void {
  localStorage.setItem(KEPT_AS, theme);
  document.documentElement.dataset["theme"] = theme;
  for (const watcher of watchers) watcher();
}

export function ThemeChoice() {
  const say = useTexts();
  const theme = useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, themeNow);
  return (
    <select
      name="theme"
      aria-label={say("theme")}
      className={styles.choice}
      value={theme}
      onChange={({ target }) => chooseTheme(target.value)}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {say(`theme.${each}`)}
        </option>
      ))}
    </select>
  );
}
