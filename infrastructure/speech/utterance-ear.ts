import type { Ear, MuLaw, SpeechHeard, SpeechToText } from "../../application/ports/speech.ts";
import { createListening } from "../../application/voice/audio/listening.ts";
import { BYTES_A_MILLISECOND } from "../../application/voice/audio/mu-law.ts";

export type Transcript = { readonly text: string; readonly language: string | null };

/** One utterance to text; rejects when the recogniser fails, or when `signal` aborts. */
export type Transcribe = (audio: MuLaw, language: string | null, signal: AbortSignal) => Promise<Transcript>;

/** Audio before the first sound that is certainly speech. */
const LEAD_BYTES = 400 * BYTES_A_MILLISECOND;
/** How much of the final silence is kept. */
const KEPT_SILENCE_MILLIS = 300;
/** Longer speech is transcribed in parts. */
const LONGEST_BYTES = 30_000 * BYTES_A_MILLISECOND;
/** With so many utterances in flight, new ones are dropped until the recogniser has caught up. */
const UTTERANCES_AT_ONCE = 3;

/** For recognisers that take whole utterances: finds their beginning and end. */
export function utteranceEar(transcribe: Transcribe): SpeechToText {
  return { listen: (options, heard) => createEar(transcribe, options, heard) };
}

function createEar(
  transcribe: Transcribe,
  { language, endSilenceMillis }: Parameters<SpeechToText["listen"]>[0],
  heard: SpeechHeard,
): Ear {
  const over = new AbortController();
  const sound = createSound();
  const surplus = Math.max(0, endSilenceMillis - KEPT_SILENCE_MILLIS) * BYTES_A_MILLISECOND;
  let delivered = Promise.resolve();
  let asked = 0;
  let inSpeech = false;

  const ask = (audio: MuLaw, final: boolean) => {
    if (asked >= UTTERANCES_AT_ONCE) return heard.failed("the recogniser is too far behind");
    asked += 1;
    const answer = transcribe(audio, language, over.signal);
    answer.catch(() => undefined);
    delivered = delivered.then(async () => {
      try {
        const { text, language: spoken } = await answer;
        if (!over.signal.aborted) heard.said(text, spoken, final);
      } catch (error) {
        if (!over.signal.aborted) heard.failed(error instanceof Error ? error.message : String(error));
      }
      asked -= 1;
    });
  };
  const listening = createListening(endSilenceMillis, {
    began: () => {
      inSpeech = true;
      heard.started();
    },
    certain: () => undefined,
    ended: () => {
      inSpeech = false;
      ask(sound.take(surplus), true);
    },
    frame: () => undefined,
    announcement: () => undefined,
    beep: () => undefined,
  });
  return {
    push: (audio) => {
      sound.add(audio);
      listening.take(audio, false);
      if (!inSpeech) sound.keepLast(LEAD_BYTES);
      else if (sound.bytes() >= LONGEST_BYTES) ask(sound.take(0), false);
    },
    close: () => over.abort(),
  };
}

/** Copies: a socket's buffer is part of a larger one that would be kept in memory. */
function createSound() {
  let parts: MuLaw[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    add: (audio: MuLaw) => {
      parts.push(Uint8Array.from(audio));
      bytes += audio.length;
    },
    keepLast: (most: number) => {
      while (bytes - (parts[0]?.length ?? 0) >= most) bytes -= parts.shift()?.length ?? 0;
    },
    /** All of it, without so many bytes at its end. */
    take: (surplus: number): MuLaw => {
      const all = new Uint8Array(bytes);
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.length;
      }
      parts = [];
      bytes = 0;
      return all.subarray(0, Math.max(0, all.length - surplus));
    },
  };
}
