import type { MuLaw } from "../../ports/speech.ts";
import { FRAME_BYTES, SILENCE } from "./mu-law.ts";

/** Splits audio of any length into frames of 20 ms; a remainder waits for more. */
export interface Frames {
  take(audio: MuLaw): MuLaw;
  /** The remainder, filled up with silence; empty if there is none. */
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
