import type { TextToSpeech } from "../../ports/speech.ts";
import { createFrames } from "./frames.ts";
import { isSpoken } from "./sentences.ts";
import type { Piece, Utterance } from "./utterance.ts";

/** One piece is synthesised while the one before it is heard. */
const AT_ONCE = 2;
/** With so much audio waiting nothing more is requested. */
const ENOUGH_BYTES = 120_000;
/** No sentence takes a minute: a voice that does not end is cut off. */
const LONGEST_PIECE_BYTES = 480_000;

type SynthesisDeps = {
  readonly voice: TextToSpeech;
  readonly language: string | null;
  /** Audio arrived, or a piece is complete or failed. */
  readonly onProgress: () => void;
  readonly onFailure: (cause: unknown) => void;
};

/** Has the pieces synthesised in order, no further ahead than needed. */
export interface Synthesis {
  goOn(queue: readonly Utterance[]): void;
}

export function createSynthesis(deps: SynthesisDeps): Synthesis {
  const speak = async (utterance: Utterance, piece: Piece): Promise<void> => {
    const { signal } = utterance.over;
    const { voice, language } = utterance.options;
    const frames = createFrames();
    const words = { text: piece.text.trim(), voice, language: language ?? deps.language };
    try {
      for await (const audio of deps.voice.speak(words, signal)) {
        if (signal.aborted) return;
        add(piece, frames.take(audio));
        if (piece.bytes >= LONGEST_PIECE_BYTES) break;
        deps.onProgress();
      }
      if (signal.aborted) return;
      add(piece, frames.rest());
      piece.state = "spoken";
    } catch (error) {
      if (signal.aborted) return;
      piece.state = "failed";
      deps.onFailure(error);
    }
    deps.onProgress();
  };
  return {
    goOn: (queue) => {
      let speaking = 0;
      let waitingBytes = 0;
      for (const utterance of queue) {
        for (const piece of utterance.pieces) {
          if (piece.state === "failed") break;
          if (!piece.heard) waitingBytes += piece.bytes;
          if (piece.state === "waiting" && !isSpoken(piece.text)) piece.state = "spoken";
          if (piece.state === "speaking") speaking += 1;
          if (piece.state !== "waiting") continue;
          if (speaking >= AT_ONCE || waitingBytes >= ENOUGH_BYTES) return;
          speaking += 1;
          piece.state = "speaking";
          void speak(utterance, piece);
        }
      }
    },
  };
}

function add(piece: Piece, audio: Uint8Array): void {
  if (audio.length === 0) return;
  piece.audio.push(audio);
  piece.bytes += audio.length;
}
