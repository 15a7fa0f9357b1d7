import type { Clock } from "../../ports/clock.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Ear, MuLaw, SpeechHeard, SpeechToText } from "../../ports/speech.ts";
import type { BufferedListener } from "../buffered-listener.ts";
import { createTimer, type Timer } from "../timer.ts";
import type { AudioLeg } from "./audio-leg.ts";
import type { AudioSettings } from "./audio-settings.ts";
import { createListening, type Listening, type ListeningEvents } from "./listening.ts";
import type { SpeechOutput } from "./speech-output.ts";

/** After a short sound interrupted us, this much quiet lets us go on. */
const GOES_ON_AFTER_MILLIS = 240;
/** Interval of reports about speech that goes on. */
const TOLD_AGAIN_MILLIS = 5_000;
/** When the recogniser says nothing for this long after speech has ended, it will not. */
const WORDS_MILLIS = 10_000;

type TurnTakingDeps = {
  readonly leg: AudioLeg;
  readonly output: SpeechOutput;
  readonly ear: SpeechToText | null;
  readonly settings: AudioSettings;
  readonly tell: BufferedListener["tell"];
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Somebody spoke, or may be about to. */
  readonly onSound: () => void;
  readonly onEarFailed: (cause: string) => void;
};

/** Decides who speaks: what the customer's sound means for what we are saying. */
export interface TurnTaking {
  audio(audio: MuLaw): void;
  readonly customerSpeaks: () => boolean;
  end(): void;
}

/**
 * Sound of the customer pauses our speech. When it is certainly speech, or has words, our speech is cut;
 * otherwise it goes on. Without a recogniser nobody understands speech, so it interrupts nothing.
 */
export function createTurnTaking(deps: TurnTakingDeps): TurnTaking {
  return new Turns(deps);
}

class Turns implements TurnTaking {
  readonly #deps: TurnTakingDeps;
  /** Until when words of speech that has ended are awaited. */
  readonly #words: Timer;
  readonly #held = createHeldAudio();
  readonly #ear: Ear | null;
  readonly #listening: Listening;
  #paused = false;
  #speaking = false;
  #reportedAt = 0;

  constructor(deps: TurnTakingDeps) {
    const { language, endSilenceMillis } = deps.settings;
    this.#deps = deps;
    this.#words = createTimer(deps.clock);
    this.#ear = deps.ear?.listen({ language, endSilenceMillis }, this.#speechHeard()) ?? null;
    this.#listening = createListening(endSilenceMillis, this.#soundHeard());
  }

  audio(audio: MuLaw): void {
    const ear = this.#ear;
    const weSpeak = this.#deps.output.isHeard();
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
        const isLong = this.#deps.clock.monotonicMillis() - this.#reportedAt >= TOLD_AGAIN_MILLIS;
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
    return this.#deps.output.current()?.options.interruptible === true;
  }

  #tellSpeech(): void {
    this.#speaking = true;
    this.#reportedAt = this.#deps.clock.monotonicMillis();
    this.#deps.onSound();
    this.#deps.tell((listener) => listener.speechStarted());
  }

  /** The customer speaks: our own speech is cut and reported first. */
  #takeFloor(then: () => void): void {
    this.#paused = false;
    const cuts = this.#mayInterrupt();
    if (cuts) this.#deps.metrics.count("ringfold_interruptions_total", { kind: "real" });
    void this.#deps.output.stop(({ options }) => cuts && options.interruptible).then(then);
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

/** Speech is certain 160 ms after its first sound; a recogniser needs a little of the audio before it. */
const KEPT_BYTES = 2_880;

/** The last audio that was not passed to the recogniser: while we speak, a telephone echoes our own voice. */
interface HeldAudio {
  keep(audio: MuLaw): void;
  release(take: (audio: MuLaw) => void): void;
}

function createHeldAudio(): HeldAudio {
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
