import type { MuLaw } from "../../ports/speech.ts";

/** Speech is certain 160 ms after its first sound; a recogniser needs a little of the audio before it. */
const KEPT_BYTES = 2_880;

/** The last audio that was not passed to the recogniser: while we speak, a telephone echoes our own voice. */
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
