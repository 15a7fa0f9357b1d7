import type { CalleeBehaviour, Reaction } from "../../application/voice/callee/behaviour.ts";
import type { Outcome } from "./outcome.ts";
import { between, type SeededRandom, seededRandom } from "./seeded-random.ts";

const ANSWERS_TO_GREETING = [
  "Yes, speaking.",
  "Hello, who is this?",
  "Yes, go on, please.",
  "I have a minute, yes.",
];
/** Answers of somebody who is asked whether they keep an appointment, with their shares; they add up to 1. */
const TO_REMINDERS: readonly (readonly [share: number, answers: readonly string[]])[] = [
  [0.6, ["Yes, I will be there.", "Yes, that works for me."]],
  [0.25, ["I cannot make it then. Could we find another time?", "Can we move it to another day?"]],
  [0.15, ["No, I will not come.", "No, please cancel it."]],
];
const TIMES = ["Thursday afternoon would be good.", "Next Monday at ten, please."];
const QUESTIONS = [
  "Could you tell me more?",
  "When is it due, please?",
  "Can you look up what is open on my account?",
  "I would like to talk to somebody about an invoice.",
  "What do I have to do?",
  "Is that all?",
];
const GOODBYES = [
  "Thank you, goodbye.",
  "Good, thanks. Bye.",
  "All right, have a nice day. Goodbye.",
] as const;
const OPT_OUT = "Please never call me again.";
const YES = "Yes, certainly.";
const CALL_LATER = "I cannot talk now. Please call me again in two minutes.";
/** How an assistant says that it can be asked for this. Whoever is not told so, does not ask. */
const OFFERS_OPT_OUT = /\b(don't|do not|never|no longer|stop) [^.?!]*\bcall(s|ed|ing)?\b/i;
const OFFERS_A_CALL = /\b(can|could|may|shall) [^.?!]*\bcall (you )?(again|back|later)\b/i;
const PAUSE_MILLIS = 1_500;
const MAILBOX = "You have reached my mailbox. Please leave a message after the tone.";

/** Shares of behaviour besides answering. */
const INTERRUPTS = 0.06;
const PRESSES_A_KEY = 0.03;
const OPTS_OUT = 0.02;
const ASKS_FOR_A_CALL = 0.02;
const HANGS_UP_FIRST = 0.7;
const PATIENCE_MILLIS = 30_000;
const MAILBOX_MILLIS = 60_000;

export type Persona = {
  readonly seed: number;
  readonly to: string;
  readonly dialsBefore: number;
  readonly outcome: Outcome;
};

/** Who answers a call: always the same for one seed, number and count of earlier dials. */
export function behaviourOf(persona: Persona): CalleeBehaviour {
  if (persona.outcome === "machine") return mailbox;
  if (persona.outcome === "opts_out_by_word") return wishing(spoken(OPT_OUT, PAUSE_MILLIS));
  if (persona.outcome === "asks_for_a_call") return wishing(spoken(CALL_LATER, PAUSE_MILLIS));
  if (persona.outcome === "opts_out_by_key")
    return wishing({ kind: "press", digits: "9", pauseMillis: PAUSE_MILLIS });
  if (persona.outcome === "agrees") return agreeing;
  return persona.outcome === "never_hangs_up" ? endless(persona) : talker(persona);
}

const mailbox: CalleeBehaviour = {
  opens: (linesSaid) =>
    linesSaid > 0 ? null : { kind: "say", text: MAILBOX, pauseMillis: 500, hangUpMillis: null },
  reacts: () => ({ kind: "listen" }),
  interruptsAfter: () => null,
  patienceMillis: MAILBOX_MILLIS,
};

/** Says yes to every question, and goodbye where it is asked nothing. */
const agreeing: CalleeBehaviour = {
  opens: () => null,
  reacts: (_linesSaid, heard) =>
    heard.includes("?")
      ? spoken(YES, PAUSE_MILLIS)
      : { ...spoken(GOODBYES[0], PAUSE_MILLIS), hangUpMillis: 1_000 },
  interruptsAfter: () => null,
  patienceMillis: PATIENCE_MILLIS,
};

/** Has one wish, says it once after the first words, and waits for what comes of it. */
function wishing(reaction: Reaction): CalleeBehaviour {
  return {
    opens: () => null,
    reacts: (linesSaid) => (linesSaid === 0 ? reaction : { kind: "listen" }),
    interruptsAfter: () => null,
    patienceMillis: PATIENCE_MILLIS,
  };
}

/** Answers, then talks until the other side ends the call. */
function endless(persona: Persona): CalleeBehaviour {
  const talksOn = { kind: "talk_on", pauseMillis: 1_000 } as const;
  return {
    opens: (linesSaid) => (linesSaid > 0 ? talksOn : null),
    reacts: (linesSaid, heard) => {
      const random = drawOf(persona, linesSaid, heard);
      if (linesSaid > 0) return talksOn;
      return spoken(pick(ANSWERS_TO_GREETING, random), between(random, 1_500, 5_000));
    },
    interruptsAfter: () => null,
    patienceMillis: null,
  };
}

function talker(persona: Persona): CalleeBehaviour {
  const character = seededRandom(`callee:${persona.seed}:${persona.to}:${persona.dialsBefore}`);
  const questions = 1 + Math.floor(character() * 3);
  const hangsUpFirst = character() < HANGS_UP_FIRST;
  const wish = wishOf(persona);
  const goodbye = (random: SeededRandom): Reaction => ({
    ...spoken(pick(GOODBYES, random), between(random, 1_000, 3_000)),
    hangUpMillis: hangsUpFirst ? 1_000 : null,
  });
  return {
    opens: () => null,
    reacts: (linesSaid, heard) => {
      const random = drawOf(persona, linesSaid, heard);
      const asked = /\bpress (\d)\b/i.exec(heard)?.[1];
      if (linesSaid > questions + 1) return { kind: "hang_up", pauseMillis: 500 };
      if (linesSaid === questions + 1) return goodbye(random);
      const pauseMillis = between(random, 1_500, 5_000);
      if (wish?.offer.test(heard)) return spoken(wish.words, pauseMillis);
      if (asked !== undefined || (linesSaid > 0 && random() < PRESSES_A_KEY))
        return { kind: "press", digits: `${asked ?? Math.floor(random() * 10)}#`, pauseMillis };
      return spoken(pick(answersTo(heard, linesSaid, random), random), pauseMillis);
    },
    interruptsAfter: (linesSaid, words) => interruption(drawOf(persona, linesSaid, words), linesSaid, words),
    patienceMillis: PATIENCE_MILLIS,
  };
}

/** One in fifty, and another: what they say when they are told that they may. */
function wishOf({ seed, to, dialsBefore }: Persona) {
  const roll = seededRandom(`wish:${seed}:${to}:${dialsBefore}`)();
  if (roll < OPTS_OUT) return { words: OPT_OUT, offer: OFFERS_OPT_OUT };
  return roll < OPTS_OUT + ASKS_FOR_A_CALL ? { words: CALL_LATER, offer: OFFERS_A_CALL } : null;
}

function answersTo(heard: string, linesSaid: number, random: SeededRandom): readonly string[] {
  if (/\bwhich day\b/i.test(heard)) return TIMES;
  if (!/\bappointment\b/i.test(heard) || !heard.includes("?"))
    return linesSaid === 0 ? ANSWERS_TO_GREETING : QUESTIONS;
  let left = random();
  const found = TO_REMINDERS.find(([share]) => {
    left -= share;
    return left < 0;
  });
  return found?.[1] ?? QUESTIONS;
}

function spoken(text: string, pauseMillis: number): Extract<Reaction, { kind: "say" }> {
  return { kind: "say", text, pauseMillis, hangUpMillis: null };
}

/** After a whole word, and not before the fourth one: nobody interrupts a "yes". */
function interruption(random: SeededRandom, linesSaid: number, words: string): number | null {
  if (linesSaid === 0 || random() >= INTERRUPTS) return null;
  const ends = [...words.matchAll(/\s+/g)].map(({ index }) => index);
  const possible = ends.slice(3, -1);
  return possible.length === 0 ? null : (possible[Math.floor(random() * possible.length)] ?? null);
}

function drawOf({ seed, to, dialsBefore }: Persona, linesSaid: number, heard: string): SeededRandom {
  return seededRandom(`line:${seed}:${to}:${dialsBefore}:${linesSaid}:${heard}`);
}

function pick(lines: readonly string[], random: SeededRandom): string {
  return lines[Math.floor(random() * lines.length)] ?? "";
}
