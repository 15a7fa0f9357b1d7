import { foldedWords } from "../../domain/conversation/intents/spoken-intents.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { PHRASES } from "./phrases.ts";
import type { Situation } from "./situation.ts";

/**
 * What the customer was asked and has not answered. come: whether they keep an appointment; moment: whether
 * they can talk now; when: which time is better; anything: a question of the owner's greeting; not_asked:
 * it is about an appointment, and nobody has asked yet. null: nothing.
 */
export type OpenQuestion = "come" | "moment" | "when" | "anything" | "not_asked" | null;

/** So much of a text is looked at. */
const LOOKED_AT = 600;
const APPOINTMENT = ["appointment", "check up", "checkup", "randevu"].map((word) =>
  foldedWords(word).trimEnd(),
);
const MOMENT = [
  "good moment",
  "good time",
  "a moment",
  "a minute",
  "a second",
  "müsait",
  "uygun mu",
  "vaktiniz",
].map((words) => foldedWords(words).trimEnd());

export function openQuestion({ language, saidBefore, system }: Situation): OpenQuestion {
  const phrases = PHRASES[language];
  const last = saidBefore.at(-1);
  if (last === undefined) return null;
  if (last.endsWith(phrases.askWhen) || wasCutAskingWhen(last, phrases)) return "when";
  if (wasAnswered(saidBefore, phrases)) return null;
  // Who interrupts a question has heard what it is about.
  const asks = last.includes("?") || isCut(last);
  const folded = foldedWords(beginningOf(last, LOOKED_AT));
  if (asks && MOMENT.some((words) => folded.includes(words))) return "moment";
  if (isAboutAppointment({ saidBefore, system }))
    return asks && !isInvitation(last, phrases) ? "come" : "not_asked";
  return asks && !isInvitation(last, phrases) ? "anything" : null;
}

/** Whether our last words offered something else. */
export function isInvited({ language, saidBefore }: Situation): boolean {
  return isInvitation(saidBefore.at(-1) ?? "", PHRASES[language]);
}

type Phrases = (typeof PHRASES)[keyof typeof PHRASES];

/** The fewest characters of an invitation by which it is known. */
const KNOWN_BY = 8;

function isInvitation(text: string, { invitations, offers }: Phrases): boolean {
  const all = [...invitations, ...offers];
  if (!isCut(text)) return all.some((each) => text.endsWith(each));
  return all.some((each) => {
    const from = text.lastIndexOf(each.slice(0, KNOWN_BY));
    return from >= 0 && each.startsWith(text.slice(from));
  });
}

/** It ends within a sentence: the customer interrupted it, and only what they heard of it is known. */
const isCut = (text: string): boolean => !/[.!?…]["”’')\s]*$/.test(text);

/** Our answer to a wish for another time always goes on to ask when; what it was is clear before that. */
function wasCutAskingWhen(last: string, { appointment, askWhen }: Phrases): boolean {
  const whole = `${appointment.another_time} ${askWhen}`;
  return whole.startsWith(last) && !appointment.no.startsWith(last);
}

function wasAnswered(saidBefore: readonly string[], { appointment, anything }: Phrases): boolean {
  const noted = [...Object.values(appointment), ...Object.values(anything)];
  const isNote = (text: string, each: string) =>
    text.startsWith(each) || (each.startsWith(text) && text.length > each.indexOf(".") + 1);
  return saidBefore.some((text) => noted.some((each) => isNote(text, each)));
}

/** By the greeting, or by the instructions for this call. */
export function isAboutAppointment({
  saidBefore,
  system,
}: Pick<Situation, "saidBefore" | "system">): boolean {
  return [saidBefore[0] ?? "", forThisCall(system)].some((text) => {
    const folded = foldedWords(beginningOf(text, LOOKED_AT));
    return APPOINTMENT.some((word) => folded.includes(word));
  });
}

/** The owner's instructions for this call, which follow those of the assistant. */
function forThisCall(system: string): string {
  const from = system.lastIndexOf("\n\nFor this call:");
  return from < 0 ? "" : system.slice(from, from + LOOKED_AT);
}
