import type { JsonObject } from "../../domain/shared/json.ts";
import { isAboutAppointment } from "./open-question.ts";
import type { Situation } from "./situation.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** As our instructions say it: where the customer is, else in UTC. */
const CLOCK = /It is [A-Z][a-z]+ (\d{4}-\d\d-\d\d) (\d\d:\d\d) where the customer is/g;
const UTC = /"now":"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/g;

const CALL = /\b(call|ring|phone|ara(yın|yabilir|r mısınız|sanız|manızı)?)(?![\p{L}])/iu;
const NO_CALL = /\b(don['’]t|do not|never) (call|ring|phone)\b|(?<!\p{L})aramayın(?!\p{L})/iu;
const NUMBERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "one two three four five six seven eight nine ten eleven twelve"
      .split(" ")
      .map((word, index) => [word, index + 1]),
  ),
  ...Object.fromEntries(
    "bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki"
      .split(" ")
      .map((word, index) => [word, index + 1]),
  ),
};
const NUMBER = `(\\d{1,3}|on ?bir|on ?iki|${Object.keys(NUMBERS).join("|")})`;
const IN_ENGLISH = new RegExp(`\\bin ${NUMBER} (minute|hour)s?\\b`, "i");
const IN_TURKISH = new RegExp(`(?<![\\p{L}\\d])${NUMBER} (dakika|saat) sonra`, "iu");
const TOMORROW = /(\btomorrow\b|(?<!\p{L})yarın)/iu;
/** From Sunday on, as `Date` counts them. */
const WEEKDAYS = [
  ["sunday", "pazar"],
  ["monday", "pazartesi"],
  ["tuesday", "sal[ıI]"],
  ["wednesday", "çarşamba"],
  ["thursday", "perşembe"],
  ["friday", "cuma"],
  ["saturday", "cumartesi"],
].map(([english, turkish]) => new RegExp(`\\b${english}\\b|(?<!\\p{L})${turkish}(y?[ae])?(?!\\p{L})`, "iu"));
/** An hour, in Turkish also with its ending; not one that goes on ("ten thirty", "on buçuk"). */
const AT = new RegExp(
  `(?:\\bat|(?<!\\p{L})saat) ${NUMBER}(?:[:.](\\d\\d))?(?:['’]?[dt][ae])?(?: ?(a|p)\\.?m\\b)?` +
    "(?![\\p{L}\\d]| (?:fifteen|thirty|forty|buçuk|çeyrek))",
  "iu",
);

/**
 * The arguments of call_back_later for somebody who asks to be called at a time that can be read: in so many
 * minutes or hours, or at an hour of tomorrow or of the next weekday. null: they do not, or it cannot.
 */
export function calledAgain(situation: Situation): JsonObject | null {
  const { turn: said, system, meant } = situation;
  const turn = said.replaceAll("İ", "i"); // no flag of an expression takes it for a small i
  // Another time may be that of the appointment.
  const asks = CALL.test(turn) || (meant.has("another_time") && !isAboutAppointment(situation));
  if (!asks || NO_CALL.test(turn)) return null;
  const now = clockIn(system);
  const at = now === null ? null : timeIn(turn, now);
  return at === null ? null : { at: new Date(at).toISOString().slice(0, 16) };
}

/** Local time in milliseconds, counted as if it were UTC. */
function clockIn(system: string): number | null {
  const found = [...system.matchAll(CLOCK)].at(-1) ?? [...system.matchAll(UTC)].at(-1);
  return found === undefined ? null : Date.parse(`${found[1]}T${found[2]}:00Z`);
}

function timeIn(turn: string, now: number): number | null {
  const ahead = IN_ENGLISH.exec(turn) ?? IN_TURKISH.exec(turn);
  if (ahead !== null) {
    const unit = /hour|saat/i.test(ahead[2] ?? "") ? 60 * MINUTE : MINUTE;
    return now + numberOf(ahead[1]) * unit;
  }
  const [days, clock] = [daysAhead(turn, now), AT.exec(turn)];
  if (days === null || clock === null) return null;
  const hour =
    (numberOf(clock[1]) % (clock[3] === undefined ? 24 : 12)) + (/p/i.test(clock[3] ?? "") ? 12 : 0);
  const minute = Number(clock[2] ?? 0);
  return minute > 59 ? null : (Math.floor(now / DAY) + days) * DAY + (hour * 60 + minute) * MINUTE;
}

/** null: no day, or several. On a Tuesday "Tuesday" is that of the next week. */
function daysAhead(turn: string, now: number): number | null {
  const today = new Date(now).getUTCDay();
  const named = WEEKDAYS.flatMap((name, day) => (name.test(turn) ? [((day - today + 6) % 7) + 1] : []));
  const [days, ...others] = new Set(TOMORROW.test(turn) ? [1, ...named] : named);
  return days === undefined || others.length > 0 ? null : days;
}

function numberOf(word = ""): number {
  return NUMBERS[word.toLowerCase().replace(" ", "")] ?? Number(word);
}

/** What call_back_later answered; `when`: the local time that was agreed. */
export function agreedIn(
  shown: string,
): { readonly is: "agreed"; readonly when: string } | { readonly is: "noted" | "refused" } {
  const when = /the call is made on [A-Z][a-z]+ (\d{4}-\d\d-\d\d \d\d:\d\d)/.exec(shown)?.[1];
  if (when !== undefined) return { is: "agreed", when };
  return { is: shown.startsWith("Noted:") ? "noted" : "refused" };
}
