import type { MuLaw } from "../../ports/speech.ts";

export const SAMPLES_A_SECOND = 8_000;
export const BYTES_A_MILLISECOND = SAMPLES_A_SECOND / 1_000;
export const FRAME_MILLIS = 20;
/** 20 ms, the frame of every telephone. */
export const FRAME_BYTES = FRAME_MILLIS * BYTES_A_MILLISECOND;
export const SILENCE = 0xff;

const BIAS = 0x84;
const CLIP = 32_635;

/** G.711: each byte as a 16 bit sample. */
const LINEAR = Int16Array.from({ length: 256 }, (_, code) => {
  const inverted = ~code & 0xff;
  const magnitude = (((inverted & 0x0f) << 3) + BIAS) << ((inverted & 0x70) >> 4);
  return (inverted & 0x80) === 0 ? magnitude - BIAS : BIAS - magnitude;
});

/** The square of each sample, relative to full scale. */
const POWER = Float64Array.from(LINEAR, (sample) => (sample / 32_768) ** 2);

export function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(CLIP, Math.abs(sample)) + BIAS;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

export function encodeMuLaw(samples: Int16Array): MuLaw {
  const audio = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) audio[index] = encodeSample(samples[index] ?? 0);
  return audio;
}

export function decodeMuLaw(audio: MuLaw): Int16Array {
  const samples = new Int16Array(audio.length);
  for (let index = 0; index < audio.length; index += 1) samples[index] = LINEAR[audio[index] ?? SILENCE] ?? 0;
  return samples;
}

/** Quieter than any line. */
export const QUIETEST_DB = -80;

/** Mean power in decibels below full scale. */
export function levelOf(audio: MuLaw): number {
  let power = 0;
  for (let index = 0; index < audio.length; index += 1) power += POWER[audio[index] ?? SILENCE] ?? 0;
  return power === 0 ? QUIETEST_DB : Math.max(QUIETEST_DB, 10 * Math.log10(power / audio.length));
}

export function millisOf(bytes: number): number {
  return bytes / BYTES_A_MILLISECOND;
}
