import { FRAME_MILLIS } from "./mu-law.ts";

/** Decibels. */
const ABOVE_FLOOR = 9;
const QUIETEST_SPEECH = -46;
/** While we speak: a telephone's echo of our own voice is not speech. */
const LOUDER_WHILE_WE_SPEAK = 7;
const FIRST_FLOOR = -55;
/** A line may be noisy from its first frame on, or somebody is speaking already. */
const FIRST_FRAMES = 3;
const HIGHEST_FIRST_FLOOR = -42;
const HIGHEST_FLOOR = -28;
/** For each frame: the floor falls almost at once and rises slowly, so that no word raises it. */
const FALLS_BY = 0.4;
const RISES_BY = 0.06;
/** So many frames within this range are not a voice, because voices have syllables. */
const STEADY_FRAMES = 40;
const STEADY_RANGE = 4.5;

/** Whether the frames of a line are speech: energy above a floor that follows the noise of the line. */
export interface VoiceActivity {
  /** `level` in decibels below full scale; `isTone`: the frame is one pure tone. */
  take(level: number, isTone: boolean, weSpeak: boolean): boolean;
}

export function createVoiceActivity(): VoiceActivity {
  const recent = new Float64Array(STEADY_FRAMES);
  let floor = FIRST_FLOOR;
  let frames = 0;
  return {
    take: (level, isTone, weSpeak) => {
      recent[frames % STEADY_FRAMES] = level;
      frames += 1;
      if (frames <= FIRST_FRAMES) floor = Math.max(floor, Math.min(level, HIGHEST_FIRST_FLOOR));
      const isSteady = frames >= STEADY_FRAMES && rangeOf(recent) <= STEADY_RANGE;
      floor = isSteady ? Math.min(level, HIGHEST_FLOOR) : nextFloor(floor, level);
      const threshold =
        Math.max(QUIETEST_SPEECH, floor + ABOVE_FLOOR) + (weSpeak ? LOUDER_WHILE_WE_SPEAK : 0);
      return !isTone && level > threshold;
    },
  };
}

function nextFloor(floor: number, level: number): number {
  return level < floor ? floor + (level - floor) * FALLS_BY : Math.min(level, floor + RISES_BY);
}

function rangeOf(levels: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const level of levels) {
    if (level < least) least = level;
    if (level > most) most = level;
  }
  return most - least;
}

/** So much speech is a candidate; a shorter sound is ignored. */
const BEGINS_MILLIS = 160;
/** So much is certainly speech. */
const CERTAIN_MILLIS = 300;

/** Finds where speech begins and ends. */
export interface SpeechWatch {
  take(isActive: boolean): "began" | "certain" | "ended" | null;
  /** Since the last frame of speech. */
  readonly quietMillis: () => number;
  readonly isSpeech: () => boolean;
}

/** It ends after this much time without speech. */
export function createSpeechWatch(endSilenceMillis: number): SpeechWatch {
  let phase: "quiet" | "began" | "certain" = "quiet";
  let active = 0;
  let quiet = endSilenceMillis;
  return {
    quietMillis: () => quiet,
    isSpeech: () => phase !== "quiet",
    take: (isActive) => {
      quiet = isActive ? 0 : quiet + FRAME_MILLIS;
      if (isActive) active += FRAME_MILLIS;
      else if (phase === "quiet") active = Math.max(0, active - FRAME_MILLIS);
      if (phase === "quiet") {
        if (active < BEGINS_MILLIS) return null;
        phase = "began";
        return "began";
      }
      if (quiet >= endSilenceMillis) {
        phase = "quiet";
        active = 0;
        return "ended";
      }
      if (phase === "certain" || active < CERTAIN_MILLIS) return null;
      phase = "certain";
      return "certain";
    },
  };
}
