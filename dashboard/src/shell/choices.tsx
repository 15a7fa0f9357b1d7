import { useEffect, useState } from "react";
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

export function ThemeChoice() {
  const say = useTexts();
  const [theme, setTheme] = useState(() => localStorage.getItem(KEPT_AS) ?? "auto");
  useEffect(() => {
    localStorage.setItem(KEPT_AS, theme);
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return (
    <select
      name="theme"
      aria-label={say("theme")}
      className={styles.choice}
      value={theme}
      onChange={({ target }) => setTheme(target.value)}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {say(`theme.${each}`)}
        </option>
      ))}
    </select>
  );
}
