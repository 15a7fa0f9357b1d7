import { type Language, useLanguage } from "./language.tsx";

/** Formats numbers and times in the language; times are local, their title has UTC. */
export function useFormat(): Format {
  return formatIn(useLanguage().language);
}

type Format = ReturnType<typeof makeFormat>;

const made = new Map<Language, Format>();

/** Shared by the tab, because making a formatter takes longer than rendering a table row. */
function formatIn(language: Language): Format {
  const format = made.get(language) ?? makeFormat(language);
  made.set(language, format);
  return format;
}

function makeFormat(language: Language) {
  const locale = language === "tr" ? "tr-TR" : "en-GB";
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const minutes = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  return {
    locale,
    number: (value: number) => number.format(value),
    percent: (share: number) => percent.format(share),
    time: (instant: string | number) => time.format(new Date(instant)),
    clock: (instant: string | number) => clock.format(new Date(instant)),
    minutes: (instant: number) => minutes.format(instant),
    day: (instant: number) => day.format(instant),
    seconds: (value: number) =>
      `${number.format(Math.round(value * 10) / 10)} ${language === "tr" ? "sn" : "s"}`,
  };
}
