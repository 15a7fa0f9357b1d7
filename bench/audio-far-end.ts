import process from "node:process";
import { fakeMediaServer, type MediaCall } from "../test/support/speech/fake-media-server.ts";
import { joined, silence, speech } from "../test/support/speech/sounds.ts";

/** What the customers of a benchmark measured, in milliseconds. */
export type FarEndFigures = {
  /** Gaps between two frames of one utterance. */
  readonly late: readonly number[];
  /** From the last frame of the customer's turn to the first of the answer. */
  readonly answers: readonly number[];
  /** From the first sound of an interrupting customer to our pause. */
  readonly pauses: readonly number[];
};

const FRAME_MILLIS = 20;
const TURN_MILLIS = 1_600;
/** How long a customer waits after our last word. */
const THINKS_MILLIS = 1_500;
const INTERRUPTION_MILLIS = 900;
const INTERRUPTS_AFTER_MILLIS = 1_200;

const figures = { late: [] as number[], answers: [] as number[], pauses: [] as number[] };

/** A customer: hears us out and answers; every third time interrupts. */
function customer(call: MediaCall): () => void {
  let turns = 0;
  let quiet = 0;
  let sounding = 0;
  let seen = 0;
  let spokeUntil = 0;
  let waits = false;
  let commands = 0;
  let interruptedAt: number | null = null;
  const speak = (millis: number, now: number) => {
    turns += 1;
    call.speak(joined(speech(millis, -20, turns), silence(FRAME_MILLIS)));
    spokeUntil = now + millis;
    waits = true;
    quiet = 0;
    sounding = 0;
  };
  return () => {
    const now = performance.now();
    for (const { command, at } of call.commands.slice(commands)) {
      if (command === "PAUSE_MEDIA" && interruptedAt !== null) figures.pauses.push(at - interruptedAt);
      if (command === "PAUSE_MEDIA") interruptedAt = null;
    }
    commands = call.commands.length;
    for (; seen < call.heard.length; seen += 1) {
      const isSound = call.heard[seen]?.[0] !== undefined && !isSilent(call.heard[seen]);
      if (!isSound) {
        quiet += FRAME_MILLIS;
        continue;
      }
      if (waits && now > spokeUntil) {
        figures.answers.push(now - spokeUntil);
        waits = false;
      } else if (!waits && sounding > 0 && quiet > 0 && quiet < THINKS_MILLIS) figures.late.push(quiet);
      quiet = 0;
      sounding += FRAME_MILLIS;
    }
    if (waits) return;
    if (turns % 3 === 2 && sounding > INTERRUPTS_AFTER_MILLIS && quiet === 0) {
      interruptedAt = now;
      speak(INTERRUPTION_MILLIS, now);
    } else if (sounding > 0 && quiet >= THINKS_MILLIS) speak(TURN_MILLIS, now);
  };
}

function isSilent(frame: Uint8Array | undefined): boolean {
  return frame?.every((sample) => sample === 0xff) ?? true;
}

const server = await fakeMediaServer();
const customers = new Map<MediaCall, () => void>();
setInterval(() => {
  for (const call of server.calls) {
    const listen = customers.get(call) ?? customer(call);
    customers.set(call, listen);
    listen();
  }
}, 10);
process.on("message", () => {
  process.send?.(figures, () => process.exit(0));
});
process.send?.(server.url);
