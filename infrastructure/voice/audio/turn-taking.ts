import type { Clock } from "../../../application/ports/clock.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { Ear, MuLaw, SpeechHeard, SpeechToText } from "../../../application/ports/speech.ts";
import { createTimer, type Timer } from "../timer.ts";
import type { ToldListener } from "../told-listener.ts";
import type { AudioLeg } from "./audio-leg.ts";
import type { AudioSettings } from "./audio-settings.ts";
import { createHeldAudio } from "./held-audio.ts";
import { createListening, type Listening, type ListeningEvents } from "./listening.ts";
import type { Mouth } from "./mouth.ts";

/** A short sound stopped us; after so much quiet we go on where we were. */
const GOES_ON_AFTER_MILLIS = 240;
/** Speech that goes on is told so often. */
const TOLD_AGAIN_MILLIS = 5_000;
/** A recogniser that says nothing of speech for so long after its end never will. */
const WORDS_MILLIS = 10_000;

type TurnTakingDeps = {
  readonly leg: AudioLeg;
  readonly mouth: Mouth;
  readonly ear: SpeechToText | null;
  readonly settings: AudioSettings;
  readonly tell: ToldListener["tell"];
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Somebody spoke, or may be about to. */
  readonly onSound: () => void;
  readonly onEarFailed: (cause: string) => void;
};

/** Who speaks: what the customer's sound means for what we are saying. */
export interface TurnTaking {
  audio(audio: MuLaw): void;
  readonly customerSpeaks: () => boolean;
  end(): void;
}

/**
 * Sound of the customer while we speak makes us pause; when it is speech for certain, or has words, what we were saying is cut; otherwise we go on.
 * Without an ear nobody understands speech, so it stops nothing.
 */
export function createTurnTaking(deps: TurnTakingDeps): TurnTaking {
  return new Turns(deps);
}

class Turns implements TurnTaking {
  readonly #deps: TurnTakingDeps;
  /** Until when words of speech that has ended are waited for. */
  readonly #words: Timer;
  readonly #held = createHeldAudio();
  readonly #ear: Ear | null;
  readonly #listening: Listening;
  #paused = false;
  #speaking = false;
  #toldAt = 0;

  constructor(deps: TurnTakingDeps) {
    const { language, endSilenceMillis } = deps.settings;
    this.#deps = deps;
    this.#words = createTimer(deps.clock);
    this.#ear = deps.ear?.listen({ language, endSilenceMillis }, this.#speechHeard()) ?? null;
    this.#listening = createListening(endSilenceMillis, this.#soundHeard());
  }

  audio(audio: MuLaw): void {
    const ear = this.#ear;
    const weSpeak = this.#deps.mouth.isHeard();
    this.#listening.take(audio, weSpeak);
    if (ear === null) return;
    if (weSpeak && this.#listening.isQuiet()) {
      this.#held.keep(audio);
      return;
    }
    this.#held.release(ear.push);
    ear.push(audio);
  }

  customerSpeaks(): boolean {
    return this.#speaking || this.#paused;
  }

  end(): void {
    this.#words.cancel();
    this.#ear?.close();
  }

  #speechHeard(): SpeechHeard {
    return {
      started: () => {
        if (!this.#speaking && !this.#mayInterrupt()) this.#tellSpeech();
      },
      said: (text, language, final) => this.#said(text.trim(), language, final),
      failed: (cause) => {
        this.#deps.onEarFailed(cause);
        if (!this.#listening.isSpeech()) this.#endSpeech();
      },
    };
  }

  #soundHeard(): ListeningEvents {
    const { tell } = this.#deps;
    return {
      began: () => this.#soundBegan(),
      certain: () => {
        if (this.#paused) this.#takeFloor(() => this.#tellSpeech());
      },
      ended: () => {
        if (this.#speaking) this.#words.set(WORDS_MILLIS, () => this.#endSpeech());
      },
      frame: (quietMillis) => {
        if (this.#paused && quietMillis >= GOES_ON_AFTER_MILLIS) this.#goOn();
        const isLong = this.#deps.clock.monotonicMillis() - this.#toldAt >= TOLD_AGAIN_MILLIS;
        if (this.#speaking && isLong && this.#listening.isSpeech()) this.#tellSpeech();
      },
      announcement: () => tell((listener) => listener.machineHeard(false)),
      beep: () => tell((listener) => listener.machineHeard(true)),
    };
  }

  #said(said: string, language: string | null, final: boolean): void {
    if (said === "") {
      if (final && this.#speaking && !this.#listening.isSpeech()) this.#endSpeech();
      return;
    }
    this.#takeFloor(() => {
      const continues = !final || this.#listening.isSpeech();
      if (!this.#speaking) this.#tellSpeech();
      if (!continues) this.#words.cancel();
      this.#speaking = continues;
      this.#deps.onSound();
      this.#deps.tell((listener) => listener.customerSaid(said, language, continues));
    });
  }

  #soundBegan(): void {
    this.#words.cancel();
    if (this.#ear === null) return;
    this.#deps.onSound();
    if (!this.#mayInterrupt()) {
      this.#tellSpeech();
      return;
    }
    this.#paused = true;
    this.#deps.leg.pause();
  }

  #mayInterrupt(): boolean {
    return this.#deps.mouth.current()?.options.interruptible === true;
  }

  #tellSpeech(): void {
    this.#speaking = true;
    this.#toldAt = this.#deps.clock.monotonicMillis();
    this.#deps.onSound();
    this.#deps.tell((listener) => listener.speechStarted());
  }

  /** The customer has the floor: what we were saying is cut first, and told first. */
  #takeFloor(then: () => void): void {
    this.#paused = false;
    const cuts = this.#mayInterrupt();
    if (cuts) this.#deps.metrics.count("ringfold_interruptions_total", { kind: "real" });
    void this.#deps.mouth.stop(({ options }) => cuts && options.interruptible).then(then);
  }

  #goOn(): void {
    this.#paused = false;
    this.#deps.leg.resume();
    this.#deps.metrics.count("ringfold_interruptions_total", { kind: "false" });
  }

  #endSpeech(): void {
    this.#words.cancel();
    if (!this.#speaking) return;
    this.#speaking = false;
    this.#deps.tell((listener) => listener.customerSaid("", null, false));
  }
}
