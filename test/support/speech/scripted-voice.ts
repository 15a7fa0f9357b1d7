import type { TextToSpeech } from "../../../application/ports/speech.ts";
import { decodeMuLaw, encodeMuLaw } from "../../../application/voice/audio/mu-law.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";

const SAMPLES_A_CHARACTER = 8_000 / 15;
const CHUNK_BYTES = 1_600;

export type ScriptedVoice = TextToSpeech & {
  readonly asked: string[];
  readonly voices: (string | null)[];
  fail(times: number): void;
};

/**
 * A voice of 15 characters a second: each word is a burst of noise of its own, so that what was heard can be
 * told by correlation.
 */
export function scriptedVoice(
  before: (text: string) => Promise<void> = async () => undefined,
): ScriptedVoice {
  const asked: string[] = [];
  const voices: (string | null)[] = [];
  let failures = 0;
  return {
    asked,
    voices,
    fail: (times) => {
      failures = times;
    },
    async *speak({ text, voice }, signal) {
      asked.push(text);
      voices.push(voice);
      const fails = failures > 0;
      if (fails) failures -= 1;
      await before(text);
      if (signal.aborted) return;
      if (fails) throw new Error("the voice has no words");
      const sound = soundOf(text);
      for (let at = 0; at < sound.length; at += CHUNK_BYTES) yield sound.subarray(at, at + CHUNK_BYTES);
    },
  };
}

export function soundOf(text: string): Uint8Array {
  const samples = new Int16Array(Math.round(text.length * SAMPLES_A_CHARACTER));
  for (const word of text.matchAll(/\S+/g)) {
    const burst = burstOf(word[0]);
    samples.set(burst.subarray(0, samples.length - startOf(word.index)), startOf(word.index));
  }
  return encodeMuLaw(samples);
}

const startOf = (character: number) => Math.round(character * SAMPLES_A_CHARACTER);

function burstOf(word: string): Int16Array {
  const random = seededRandom([...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7));
  return Int16Array.from({ length: Math.floor(word.length * SAMPLES_A_CHARACTER) }, () =>
    Math.round((random.fraction() * 2 - 1) * 8_000),
  );
}

/** How much the best matching place of what was heard is like this word: 1 is itself, noise is near 0. */
export function likeness(word: string, heard: Uint8Array): number {
  const burst = burstOf(word).subarray(0, 1_200);
  const line = decodeMuLaw(heard);
  const energy = sumOfSquares(burst, 0, burst.length);
  let best = 0;
  for (let at = 0; at + burst.length <= line.length; at += 1) {
    let sum = 0;
    for (let index = 0; index < burst.length; index += 1)
      sum += (burst[index] ?? 0) * (line[at + index] ?? 0);
    if (sum <= best * energy * 0.5) continue;
    const here = sumOfSquares(line, at, burst.length);
    if (here > 0) best = Math.max(best, sum / Math.sqrt(energy * here));
  }
  return best;
}

function sumOfSquares(samples: Int16Array, from: number, length: number): number {
  let sum = 0;
  for (let index = from; index < from + length; index += 1) sum += (samples[index] ?? 0) ** 2;
  return sum;
}
