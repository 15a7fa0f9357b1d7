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

const PLANNED = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
} as const;

function plannedIn(locale: string, zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...PLANNED, timeZone: zone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.DateTimeFormat(locale, { ...PLANNED, timeZone: "UTC", timeZoneName: "short" });
  }
}

function makeFormat(language: Language) {
  const locale = language === "tr" ? "tr-TR" : "en-GB";
  const number = new Intl.NumberFormat(locale);
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const minutes = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const planned = new Intl.DateTimeFormat(locale, PLANNED);
  const zones = new Map<string, Intl.DateTimeFormat>();
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  return {
    locale,
    number: (value: number) => number.format(value),
    percent: (share: number) => percent.format(share),
    money: (value: number) => money.format(value),
    /** With the word; more than is paid out in cents is not told. */
    credits: (value: number) => `${money.format(value)} ${language === "tr" ? "kredi" : "credits"}`,
    time: (instant: string | number) => time.format(new Date(instant)),
    /** Of today the time alone. */
    moment: (instant: string | number) => {
      const at = new Date(instant);
      return (at.toDateString() === new Date().toDateString() ? clock : time).format(at);
    },
    clock: (instant: string | number) => clock.format(new Date(instant)),
    /** Planned or estimated, so without seconds. */
    about: (instant: string | number) => {
      const at = new Date(instant);
      return (at.toDateString() === new Date().toDateString() ? minutes : planned).format(at);
    },
    /** As planned, in that zone (IANA); in UTC, named so, where the browser does not know the zone. */
    there: (instant: string | number, zone: string) => {
      const format = zones.get(zone) ?? plannedIn(locale, zone);
      zones.set(zone, format);
      return format.format(new Date(instant));
    },
    minutes: (instant: number) => minutes.format(instant),
    day: (instant: number) => day.format(instant),
    seconds: (value: number) =>
      `${number.format(Math.round(value * 10) / 10)} ${language === "tr" ? "sn" : "s"}`,
  };
}
