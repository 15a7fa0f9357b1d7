/** All audio is 8 kHz µ-law, one byte a sample: 160 bytes are 20 ms. */
export type MuLaw = Uint8Array;

export type Utterance = {
  readonly text: string;
  /** Of the provider; null: its own default. */
  readonly voice: string | null;
  /** BCP 47; null: the provider's own. */
  readonly language: string | null;
};

/** Text to sound. The stream ends or throws when `signal` aborts, and throws when the provider fails. */
export interface TextToSpeech {
  speak(utterance: Utterance, signal: AbortSignal): AsyncIterable<MuLaw>;
}

export type SpeechHeard = {
  /** The customer begins to speak. */
  started(): void;
  /** A whole turn, or a part of one (`final` false: more of it follows). `language`: BCP 47 where the recogniser tells. */
  said(text: string, language: string | null, final: boolean): void;
  /** The recogniser failed on what was said: its words are lost, the conversation goes on. */
  failed(cause: string): void;
};

/** One ear for one call. */
export interface Ear {
  push(audio: MuLaw): void;
  close(): void;
}

/** Sound to text. null: only digits are heard (no recogniser is configured). */
export interface SpeechToText {
  listen(
    options: { readonly language: string | null; readonly endSilenceMillis: number },
    heard: SpeechHeard,
  ): Ear;
}

/** The installation's speech engines. */
export type Speech = { readonly voice: TextToSpeech; readonly ear: SpeechToText | null };
