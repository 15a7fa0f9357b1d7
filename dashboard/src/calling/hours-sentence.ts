import { type CallingDraft, datesOf, EVERY_DAY, type HoursDraft } from "./calling-draft.ts";
import type { CallingKey } from "./en.ts";

export type Say = (key: CallingKey, values?: Readonly<Record<string, string | number>>) => string;

/** Monday to Friday, 9:00 to 20:00 in each person's own zone. */
export function sentenceOf(draft: CallingDraft, hasOwnZones: boolean, say: Say, locale: string): string {
  const { timezone } = draft;
  const place = timezone === "" ? say("said.no-zone") : say("said.zone", { zone: timezone });
  const zone = hasOwnZones ? say("said.own-zone", { zone: timezone || "Europe/Istanbul" }) : place;
  return hoursSaid(draft, zone, say, locale);
}

/** The same by any clock: `zone` is how it is said. */
export function hoursSaid(hours: HoursDraft, zone: string, say: Say, locale: string): string {
  const { callWindowStart, callWindowEnd } = hours;
  const days = daysSaid(hours.callWindowDays, say, locale);
  const isOvernight = callWindowEnd < callWindowStart;
  const said = hours.isAnyHour
    ? say("said.any-hour", { days })
    : say(isOvernight ? "said.overnight" : "said.hours", {
        days,
        start: callWindowStart.replace(/^0/, ""),
        end: callWindowEnd.replace(/^0/, ""),
        zone,
      });
  const dates = datesOf(hours);
  const never = dates.length === 0 ? "" : ` ${say("said.excluded", { dates: listOf(dates, locale) })}`;
  return `${said}${never}`;
}

/** A date with this weekday, in the first days of a year that began on a Monday. */
const dateOf = (day: number) => new Date(Date.UTC(2024, 0, day));

export function weekdays(locale: string): (day: number) => string {
  const named = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  return (day) => named.format(dateOf(day));
}

function daysSaid(days: readonly number[], say: Say, locale: string): string {
  const name = weekdays(locale);
  const [first] = days;
  const last = days.at(-1);
  if (days.length === EVERY_DAY.length) return say("days.every");
  if (first !== undefined && last !== undefined && days.length > 2 && last - first === days.length - 1)
    return say("days.run", { first: name(first), last: name(last) });
  return listOf(days.map(name), locale);
}

export const listOf = (items: readonly string[], locale: string): string =>
  new Intl.ListFormat(locale, { type: "conjunction" }).format(items);
