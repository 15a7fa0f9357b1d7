import type { Clock } from "../../../application/ports/clock.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { MuLaw, SpeechHeard, SpeechToText } from "../../../application/ports/speech.ts";
import { createTimer } from "../timer.ts";
import type { ToldListener } from "../told-listener.ts";
import type { AudioLeg } from "./audio-leg.ts";
import type { AudioSettings } from "./audio-settings.ts";
import { createHeldAudio } from "./held-audio.ts";
import { createListening } from "./listening.ts";
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
  const { leg, mouth, tell, settings, metrics } = deps;
  const words = createTimer(deps.clock);
  let paused = false;
  let speaking = false;
  let toldAt = 0;

  const tellSpeech = () => {
    speaking = true;
    toldAt = deps.clock.monotonicMillis();
    deps.onSound();
    tell((listener) => listener.speechStarted());
  };
  const mayInterrupt = () => mouth.current()?.options.interruptible === true;
  /** The customer has the floor: what we were saying is cut first, and told first. */
  const takeFloor = (then: () => void) => {
    paused = false;
    const cuts = mayInterrupt();
    if (cuts) metrics.count("ringfold_interruptions_total", { kind: "real" });
    void mouth.stop(({ options }) => cuts && options.interruptible).then(then);
  };
  const goOn = () => {
    paused = false;
    leg.resume();
    metrics.count("ringfold_interruptions_total", { kind: "false" });
  };
  const endSpeech = () => {
    words.cancel();
    if (!speaking) return;
    speaking = false;
    tell((listener) => listener.customerSaid("", null, false));
  };
  const heard: SpeechHeard = {
    started: () => {
      if (!speaking && !mayInterrupt()) tellSpeech();
    },
    said: (text, language, final) => {
      const said = text.trim();
      if (said === "" && (!final || !speaking)) return;
      if (said === "") return listening.isSpeech() ? undefined : endSpeech();
      takeFloor(() => {
        const continues = !final || listening.isSpeech();
        if (!speaking) tellSpeech();
        if (!continues) words.cancel();
        speaking = continues;
        deps.onSound();
        tell((listener) => listener.customerSaid(said, language, continues));
      });
    },
    failed: (cause) => {
      deps.onEarFailed(cause);
      if (!listening.isSpeech()) endSpeech();
    },
  };
  const held = createHeldAudio();
  const ear =
    deps.ear?.listen({ language: settings.language, endSilenceMillis: settings.endSilenceMillis }, heard) ??
    null;
  const listening = createListening(settings.endSilenceMillis, {
    began: () => {
      words.cancel();
      if (ear === null) return;
      deps.onSound();
      if (!mayInterrupt()) return tellSpeech();
      paused = true;
      leg.pause();
    },
    certain: () => {
      if (paused) takeFloor(tellSpeech);
    },
    ended: () => {
      if (speaking) words.set(WORDS_MILLIS, endSpeech);
    },
    frame: (quietMillis) => {
      if (paused && quietMillis >= GOES_ON_AFTER_MILLIS) goOn();
      const isLong = deps.clock.monotonicMillis() - toldAt >= TOLD_AGAIN_MILLIS;
      if (speaking && isLong && listening.isSpeech()) tellSpeech();
    },
    announcement: () => tell((listener) => listener.machineHeard(false)),
    beep: () => tell((listener) => listener.machineHeard(true)),
  });
  return {
    audio: (audio) => {
      const weSpeak = mouth.isHeard();
      listening.take(audio, weSpeak);
      if (ear === null) return;
      if (weSpeak && listening.isQuiet()) return held.keep(audio);
      held.release(ear.push);
      ear.push(audio);
    },
    customerSpeaks: () => speaking || paused,
    end: () => {
      words.cancel();
      ear?.close();
    },
  };
}
