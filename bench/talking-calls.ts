import { type ChildProcess, fork } from "node:child_process";
import type { TextToSpeech } from "../application/ports/speech.ts";
import type { Conversations } from "../application/ports/voice-session.ts";
import { createPcmReader } from "../infrastructure/speech/pcm.ts";
import { createResampler } from "../infrastructure/speech/resampler.ts";
import { pcm24kOf } from "../test/support/speech/pcm-24k.ts";
import { speech } from "../test/support/speech/sounds.ts";

const GREETING =
  "Good morning, this is Ada from the library. I am calling about the books that you have borrowed.";
const ANSWER =
  "I see, thank you for telling me. Your books are due on Friday. You may keep them for two more weeks, if nobody waits for them.";

const spoken = new Map<string, Buffer>();

/** A server that answers at once: its audio is made beforehand, and streamed like that of a real one. */
export const quickVoice: TextToSpeech = {
  async *speak({ text }) {
    const pcm = spoken.get(text) ?? pcm24kOf(speech((text.length * 1_000) / 15, -18));
    spoken.set(text, pcm);
    const resampler = createResampler(24_000);
    const samplesOf = createPcmReader();
    for (let at = 0; at < pcm.length; at += 16_384) {
      yield resampler.take(samplesOf(pcm.subarray(at, at + 16_384)));
      await new Promise(setImmediate);
    }
    yield resampler.rest();
  },
};

/** A scripted conversation without a log: greets, and answers each turn. */
export function talking(onTurn: () => void): Conversations {
  return {
    arrive: async ({ session }) => {
      let id = 0;
      const options = { interruptible: true, voice: null, language: null };
      const say = (text: string) => {
        id += 1;
        for (const token of text.split(/(?<= )/)) session.say(id, token, false, options);
        session.say(id, "", true, options);
      };
      setImmediate(() => say(GREETING));
      const nothing = () => undefined;
      return {
        speechStarted: nothing,
        customerSaid: (text) => {
          if (text === "") return;
          onTurn();
          say(ANSWER);
        },
        heardWhole: nothing,
        cut: nothing,
        digit: nothing,
        silence: nothing,
        machineHeard: nothing,
        closed: nothing,
      };
    },
  };
}

/** The callers' side as a separate process; its first message has its address. */
export function startFarEnd(file: string): ChildProcess {
  return fork(new URL(file, import.meta.url));
}

export function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the far end ended with ${code}`)));
  });
}
