import { encodeMuLaw } from "../../../application/voice/audio/mu-law.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";

const RATE = 8_000;
const samplesOf = (millis: number) => Math.round((millis * RATE) / 1_000);

/**
 * Decibels below full scale to an amplitude of 16 bits; for noise and speech the mean, for
 * tones the peak less 3 dB.
 */
const amplitude = (level: number) => 32_768 * 10 ** (level / 20);

function sampled(millis: number, sample: (index: number) => number): Uint8Array {
  return encodeMuLaw(Int16Array.from({ length: samplesOf(millis) }, (_, index) => Math.round(sample(index))));
}

export const silence = (millis: number): Uint8Array => new Uint8Array(samplesOf(millis)).fill(0xff);

/** Steady noise of a line. */
export function noise(millis: number, level: number, seed = 1): Uint8Array {
  const random = seededRandom(seed);
  const size = amplitude(level) * Math.sqrt(3);
  return sampled(millis, () => (random.fraction() * 2 - 1) * size);
}

export function tone(millis: number, level: number, hertz: number): Uint8Array {
  const size = amplitude(level) * Math.SQRT2;
  return sampled(millis, (index) => size * Math.sin((2 * Math.PI * hertz * index) / RATE));
}

/** Like a voice: harmonics of a gliding pitch in syllables of about 200 ms, with short gaps. */
export function speech(millis: number, level: number, seed = 1): Uint8Array {
  const random = seededRandom(seed);
  const shift = random.fraction() * 40;
  const size = amplitude(level);
  let phase = 0;
  return sampled(millis, (index) => {
    const seconds = index / RATE;
    const pitch = 110 + shift + 25 * Math.sin(2 * Math.PI * 0.8 * seconds);
    phase += (2 * Math.PI * pitch) / RATE;
    const syllable = Math.max(0, Math.sin(Math.PI * ((seconds * 5) % 1)));
    let wave = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic += 1)
      wave += Math.sin(harmonic * phase) * (harmonic === 4 || harmonic === 10 ? 1 : 0.35);
    return size * syllable * (wave / 1.4 + (random.fraction() - 0.5) * 0.2);
  });
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** One sound over another. */
export function mixed(
  first: Uint8Array,
  second: Uint8Array,
  decode: (audio: Uint8Array) => Int16Array,
): Uint8Array {
  const [a, b] = [decode(first), decode(second)];
  return encodeMuLaw(
    Int16Array.from(a, (sample, index) => Math.max(-32_768, Math.min(32_767, sample + (b[index] ?? 0)))),
  );
}

export function framesOf(audio: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(audio.length / 160) }, (_, index) =>
    audio.subarray(index * 160, index * 160 + 160),
  );
}
