import process from "node:process";
import { FRAME_MILLIS, levelOf } from "../application/voice/audio/mu-law.ts";
import { joined, silence, speech } from "../test/support/speech/sounds.ts";
import { type Callee, startCallees } from "../test/support/telephony/callee/callees.ts";
import { wallMillis } from "../test/support/telephony/callee/phone-line.ts";

/** What the telephones behind a real Asterisk heard, in milliseconds of the wall clock. */
export type CustomerFigures = {
  /** Each number that was called, and when its line was up. */
  readonly up: readonly (readonly [number: string, at: number])[];
  /** From the answer of the telephone to our first audio. */
  readonly greetings: readonly number[];
  /** Gaps in our audio, from the end of a packet to the next one. */
  readonly gaps: readonly number[];
  /** From the last packet of a customer's turn to the first of the answer. */
  readonly answers: readonly number[];
  /** When an interrupting customer's first sound was sent, and when the telephone became silent. */
  readonly interruptions: readonly (readonly [spoke: number, silent: number])[];
};

const TURN_MILLIS = 1_600;
/** How long a customer waits after our last word. */
const THINKS_MILLIS = 1_500;
const INTERRUPTION_MILLIS = 900;
const INTERRUPTS_AFTER_MILLIS = 1_200;
/** A longer silence is more than a late packet. */
const SILENT_MILLIS = 200;
const SOUND_DB = -45;

const figures = {
  up: [] as [string, number][],
  greetings: [] as number[],
  gaps: [] as number[],
  answers: [] as number[],
  interruptions: [] as [number, number][],
};
/** Only one interrupts at a time, so that it is known whose sound stopped our speech. */
let interrupting: object | null = null;

/** Hears us out and answers; every third time interrupts. */
function customer(callee: Callee): () => void {
  const { line } = callee;
  let turns = 0;
  let seen = 0;
  /** When the last packet of our audio ended, and for how long it has gone on. */
  let soundedUntil: number | null = null;
  let sounding = 0;
  let spokeUntil = Number.POSITIVE_INFINITY;
  let phase: "listens" | "speaks" | "waits" | "interrupts" = "listens";
  let spoke: number | null = null;

  const speak = (millis: number, next: typeof phase) => {
    turns += 1;
    phase = next;
    spokeUntil = Number.POSITIVE_INFINITY;
    void line.speak(joined(speech(millis, -20, turns), silence(FRAME_MILLIS))).then((at) => {
      spoke = at;
      spokeUntil = at + millis;
    });
  };
  const hear = (at: number) => {
    if (soundedUntil === null && callee.answeredAt !== null) figures.greetings.push(at - callee.answeredAt);
    if (phase === "waits") {
      figures.answers.push(at - spokeUntil);
      phase = "listens";
    } else if (phase === "listens" && soundedUntil !== null && sounding > 0)
      figures.gaps.push(Math.max(0, at - soundedUntil));
    soundedUntil = at + FRAME_MILLIS;
    sounding += FRAME_MILLIS;
  };
  return () => {
    for (; seen < line.heard.length; seen += 1) {
      const packet = line.heard[seen];
      if (packet !== undefined && levelOf(packet.audio) > SOUND_DB) hear(packet.at);
    }
    const now = wallMillis();
    const quiet = soundedUntil === null ? 0 : now - soundedUntil;
    if (phase === "interrupts" && spoke !== null && soundedUntil !== null && quiet > SILENT_MILLIS) {
      figures.interruptions.push([spoke, soundedUntil]);
      interrupting = null;
      phase = "speaks";
    }
    if (phase === "speaks" && now > spokeUntil) {
      phase = "waits";
      sounding = 0;
      spoke = null;
    }
    if (phase !== "listens" || soundedUntil === null) return;
    if (turns % 3 === 2 && sounding > INTERRUPTS_AFTER_MILLIS && quiet <= FRAME_MILLIS) {
      if (interrupting !== null) return;
      interrupting = line;
      speak(INTERRUPTION_MILLIS, "interrupts");
    } else if (sounding > 0 && quiet >= THINKS_MILLIS) speak(TURN_MILLIS, "speaks");
  };
}

const callees = await startCallees();
const customers = new Map<Callee, () => void>();
setInterval(() => {
  for (const callee of callees.calls) {
    const listen = customers.get(callee) ?? customer(callee);
    customers.set(callee, listen);
    listen();
  }
}, FRAME_MILLIS / 2);
process.on("message", () => {
  for (const { number, upAt } of callees.calls) if (upAt !== null) figures.up.push([number, upAt]);
  process.send?.(figures, () => process.exit(0));
});
process.on("disconnect", () => process.exit(1));
process.send?.(callees.port);
