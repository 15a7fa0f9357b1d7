import type { MuLaw } from "../../application/ports/speech.ts";
import { encodeSample, SAMPLES_A_SECOND } from "../../application/voice/audio/mu-law.ts";

/** Upper limit of telephone audio; anything above 4 kHz would alias. */
const CUTOFF_HERTZ = 3_550;
/** Half the width of the filter, in output samples. */
const REACH = 14;

/** Converts a stream of linear samples of any rate from 8 kHz up to 8 kHz µ-law. */
export interface Resampler {
  take(samples: Int16Array): MuLaw;
  /** What is still in the filter. */
  rest(): MuLaw;
}

/** A windowed sinc with as many phases as the two rates need. */
export function createResampler(rate: number): Resampler {
  if (rate === SAMPLES_A_SECOND) return { take: encode, rest: () => new Uint8Array(0) };
  const common = divisor(rate, SAMPLES_A_SECOND);
  const phases = SAMPLES_A_SECOND / common;
  const step = rate / common;
  const reach = Math.ceil((REACH * rate) / SAMPLES_A_SECOND);
  const filters = Array.from({ length: phases }, (_, phase) => filterOf(rate, reach, phase / phases));
  /** Silence before the first sample, which is then in the middle of the filter. */
  let held: Int16Array = new Int16Array(reach);
  let place = 0;
  let phase = 0;

  const take = (samples: Int16Array): MuLaw => {
    const all = new Int16Array(held.length + samples.length);
    all.set(held);
    all.set(samples, held.length);
    const result = new Uint8Array(Math.max(0, Math.ceil(((all.length - place) * phases) / step) + 1));
    let made = 0;
    while (place + 2 * reach <= all.length) {
      result[made] = encodeSample(filtered(all, place, filters[phase] ?? []));
      made += 1;
      phase += step;
      place += Math.floor(phase / phases);
      phase %= phases;
    }
    held = all.slice(place);
    place = 0;
    return result.subarray(0, made);
  };
  return { take, rest: () => take(new Int16Array(reach)) };
}

function encode(samples: Int16Array): MuLaw {
  return Uint8Array.from(samples, encodeSample);
}

function filtered(samples: Int16Array, from: number, filter: ArrayLike<number>): number {
  let sum = 0;
  for (let tap = 0; tap < filter.length; tap += 1) sum += (samples[from + tap] ?? 0) * (filter[tap] ?? 0);
  return Math.round(sum);
}

/** `shift`: distance of the middle from a sample. */
function filterOf(rate: number, reach: number, shift: number): Float64Array {
  const cutoff = CUTOFF_HERTZ / rate;
  const taps = Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const at = tap - reach - shift;
    const wave = at === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * at) / (Math.PI * at);
    const angle = (Math.PI * at) / reach;
    const window = Math.abs(at) > reach ? 0 : 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
    return wave * window;
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

function divisor(first: number, second: number): number {
  return second === 0 ? first : divisor(second, first % second);
}
