import type { TextToSpeech } from "../../application/ports/speech.ts";

/** If the first voice fails, the second one speaks, unless audio of the first is on the line already. */
export function withFallback(first: TextToSpeech, second: TextToSpeech): TextToSpeech {
  return {
    async *speak(utterance, signal) {
      let begun = false;
      try {
        for await (const audio of first.speak(utterance, signal)) {
          begun ||= audio.length > 0;
          yield audio;
        }
      } catch (error) {
        if (begun || signal.aborted) throw error;
        yield* second.speak({ ...utterance, voice: null }, signal);
      }
    },
  };
}
