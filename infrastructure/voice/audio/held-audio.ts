import type { MuLaw } from "../../../application/ports/speech.ts";

/** Speech is known to have begun 160 ms behind its first sound; a recogniser wants a little of what was before it. */
const KEPT_BYTES = 2_880;

/** The last moments of what came while it was not given on: what a telephone sends back of our own voice is nothing for a recogniser. */
export interface HeldAudio {
  keep(audio: MuLaw): void;
  release(take: (audio: MuLaw) => void): void;
}

export function createHeldAudio(): HeldAudio {
  let held: MuLaw[] = [];
  let bytes = 0;
  return {
    keep: (audio) => {
      held.push(audio);
      bytes += audio.length;
      while (bytes > KEPT_BYTES) bytes -= held.shift()?.length ?? bytes;
    },
    release: (take) => {
      for (const audio of held) take(audio);
      held = [];
      bytes = 0;
    },
  };
}
