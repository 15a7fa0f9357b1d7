import type { MuLaw } from "../../ports/speech.ts";
import { createFrames } from "./frames.ts";
import { FRAME_BYTES, FRAME_MILLIS, levelOf } from "./mu-law.ts";
import { createBeepWatch, toneOf } from "./tone.ts";
import { createSpeechWatch, createVoiceActivity } from "./voice-activity.ts";

export type ListeningEvents = {
  /** Sound for 160 ms. */
  began(): void;
  /** It was certainly speech. */
  certain(): void;
  ended(): void;
  /** A frame was processed; `quietMillis` since the last one with speech. */
  frame(quietMillis: number): void;
  /** Unbroken speech, as long as only recorded announcements are. */
  announcement(): void;
  beep(): void;
};

/** People pause for breath; speech this long without a pause was recorded. */
const ANNOUNCEMENT_MILLIS = 2_500;
const PAUSE_MILLIS = 300;
/** Below it there is no search for tones. */
const QUIET_DB = -46;

/** The customer's audio, frame by frame. */
export interface Listening {
  take(audio: MuLaw, weSpeak: boolean): void;
  readonly isSpeech: () => boolean;
  /** No end of speech is being awaited, either. */
  readonly isQuiet: () => boolean;
}

export function createListening(endSilenceMillis: number, events: ListeningEvents): Listening {
  const frames = createFrames();
  const activity = createVoiceActivity();
  const speech = createSpeechWatch(endSilenceMillis);
  const beep = createBeepWatch();
  let unbroken = 0;
  const listen = (frame: MuLaw, weSpeak: boolean): void => {
    const level = levelOf(frame);
    const tone = level > QUIET_DB ? toneOf(frame) : null;
    const isActive = activity.take(level, tone !== null, weSpeak);
    const what = speech.take(isActive);
    if (what === "began") events.began();
    else if (what === "certain") events.certain();
    else if (what === "ended") events.ended();
    const goesOn = speech.isSpeech() && speech.quietMillis() < PAUSE_MILLIS;
    const before = unbroken;
    unbroken = goesOn ? unbroken + FRAME_MILLIS : 0;
    if (before < ANNOUNCEMENT_MILLIS && unbroken >= ANNOUNCEMENT_MILLIS) events.announcement();
    if (beep.take(tone)) events.beep();
    events.frame(speech.quietMillis());
  };
  return {
    isSpeech: speech.isSpeech,
    isQuiet: () => !speech.isSpeech() && speech.quietMillis() > endSilenceMillis + PAUSE_MILLIS,
    take: (audio, weSpeak) => {
      const whole = frames.take(audio);
      for (let at = 0; at < whole.length; at += FRAME_BYTES)
        listen(whole.subarray(at, at + FRAME_BYTES), weSpeak);
    },
  };
}
