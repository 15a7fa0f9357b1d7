import { useMemo } from "react";
import { useLanguage } from "./language.tsx";

/** Numbers and times as the language writes them; times are local, their title has UTC. */
export function useFormat() {
  const { language } = useLanguage();
  return useMemo(() => {
    const locale = language === "tr" ? "tr-TR" : "en-GB";
    const number = new Intl.NumberFormat(locale);
    const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
    const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
    return {
      locale,
      number: (value: number) => number.format(value),
      percent: (share: number) => percent.format(share),
      time: (instant: string | number) => time.format(new Date(instant)),
      clock: (instant: string | number) => clock.format(new Date(instant)),
      seconds: (value: number) =>
        `${number.format(Math.round(value * 10) / 10)} ${language === "tr" ? "sn" : "s"}`,
    };
  }, [language]);
}
