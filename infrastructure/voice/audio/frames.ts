import type { MuLaw } from "../../../application/ports/speech.ts";
import { FRAME_BYTES, SILENCE } from "./mu-law.ts";

/** Sound of any length as whole frames of 20 ms; what is left over waits for more. */
export interface Frames {
  take(audio: MuLaw): MuLaw;
  /** What is left over, filled up with silence; empty when nothing is. */
  rest(): MuLaw;
}

const NOTHING = new Uint8Array(0);

export function createFrames(): Frames {
  let left: MuLaw = NOTHING;
  return {
    take: (audio) => {
      const all = left.length === 0 ? audio : joined(left, audio);
      const whole = all.length - (all.length % FRAME_BYTES);
      left = all.subarray(whole);
      return all.subarray(0, whole);
    },
    rest: () => {
      if (left.length === 0) return NOTHING;
      const frame = new Uint8Array(FRAME_BYTES).fill(SILENCE);
      frame.set(left);
      left = NOTHING;
      return frame;
    },
  };
}

function joined(first: MuLaw, second: MuLaw): MuLaw {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
