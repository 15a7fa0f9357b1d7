/** All audio is 8 kHz µ-law, one byte a sample: 160 bytes are 20 ms. */
export type MuLaw = Uint8Array;

export type Utterance = {
  readonly text: string;
  /** The provider's name of a voice; null: its default. */
  readonly voice: string | null;
  /** BCP 47; null: the provider's default. */
  readonly language: string | null;
};

/** Text to speech. The stream ends or throws when `signal` aborts, and throws when the provider fails. */
export interface TextToSpeech {
  speak(utterance: Utterance, signal: AbortSignal): AsyncIterable<MuLaw>;
}

export type SpeechHeard = {
  /** The customer begins to speak. */
  started(): void;
  /**
   * A whole turn, or a part of one (`final` false: more follows). `language`: BCP 47 if the
   * recogniser reports it.
   */
  said(text: string, language: string | null, final: boolean): void;
  /** The recogniser failed: these words are lost, the conversation goes on. */
  failed(cause: string): void;
};

/** The speech recogniser of one call. */
export interface Ear {
  push(audio: MuLaw): void;
  close(): void;
}

/** Speech to text. null: no recogniser is configured, only digits are recognised. */
export interface SpeechToText {
  listen(
    options: { readonly language: string | null; readonly endSilenceMillis: number },
    heard: SpeechHeard,
  ): Ear;
}

/** The installation's speech engines. */
export type Speech = { readonly voice: TextToSpeech; readonly ear: SpeechToText | null };
