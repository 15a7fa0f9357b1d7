import type { MuLaw } from "../../ports/speech.ts";
import { decodeMuLaw, FRAME_MILLIS, SAMPLES_A_SECOND } from "./mu-law.ts";

/**
 * How much of a frame's power may remain after subtracting the pure tone that fits it best. Less at low
 * frequencies, where neighbouring harmonics of a voice look like one tone.
 */
const UNEXPLAINED = { low: 0.001_5, high: 0.006, highFromHertz: 600 };

/**
 * Frequency of a frame that is one pure tone; null: it is not. A sine is the only wave in which each sample
 * follows from the two before it by one constant; voices, noise and the two tones of a key do not.
 */
export function toneOf(frame: MuLaw): number | null {
  const samples = decodeMuLaw(frame);
  let product = 0;
  let square = 0;
  let outer = 0;
  for (let index = 1; index < samples.length - 1; index += 1) {
    const middle = samples[index] ?? 0;
    const sides = (samples[index - 1] ?? 0) + (samples[index + 1] ?? 0);
    product += middle * sides;
    square += middle * middle;
    outer += sides * sides;
  }
  if (square === 0) return null;
  const cosine = product / square / 2;
  if (Math.abs(cosine) > 1) return null;
  const hertz = (Math.acos(cosine) * SAMPLES_A_SECOND) / (2 * Math.PI);
  const allowed = hertz < UNEXPLAINED.highFromHertz ? UNEXPLAINED.low : UNEXPLAINED.high;
  return outer - (product * product) / square <= allowed * square ? hertz : null;
}

const BEEP_HERTZ = { least: 350, most: 2_300 };
const STEADY_HERTZ = 25;
const SHORTEST_BEEP_MILLIS = 160;
const LONGEST_BEEP_MILLIS = 3_000;

/** Detects the beep of an answering machine: a pure, steady tone that ends. */
export interface BeepWatch {
  /** `tone`: the result of toneOf for this frame. True: a beep has just ended. */
  take(tone: number | null): boolean;
}

export function createBeepWatch(): BeepWatch {
  let hertz = 0;
  let millis = 0;
  return {
    take: (tone) => {
      const goesOn = tone !== null && millis > 0 && Math.abs(tone - hertz) <= STEADY_HERTZ;
      const isBeep = tone !== null && tone >= BEEP_HERTZ.least && tone <= BEEP_HERTZ.most;
      const over = goesOn ? 0 : millis;
      if (goesOn) millis += FRAME_MILLIS;
      else millis = isBeep ? FRAME_MILLIS : 0;
      if (tone !== null) hertz = tone;
      return over >= SHORTEST_BEEP_MILLIS && over <= LONGEST_BEEP_MILLIS;
    },
  };
}
