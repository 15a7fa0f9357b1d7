import { FRAME_MILLIS, levelOf } from "../../../../application/voice/audio/mu-law.ts";
import type { HeardPacket } from "./phone-line.ts";

/** Unbroken sound, in milliseconds of the wall clock. */
export type Stretch = { readonly from: number; readonly to: number };

/** Decibels: anything that an ear would call sound. */
const SOUND_DB = -45;
/** Packets may be late or lost; a person who stops is silent for longer. */
const PAUSE_MILLIS = 200;

/** What a telephone heard, as the stretches in which there was sound. */
export function stretchesOf(heard: readonly HeardPacket[], pauseMillis = PAUSE_MILLIS): readonly Stretch[] {
  const stretches: { from: number; to: number }[] = [];
  for (const { at, audio } of heard) {
    if (levelOf(audio) <= SOUND_DB) continue;
    const last = stretches.at(-1);
    if (last !== undefined && at - last.to < pauseMillis) last.to = at + FRAME_MILLIS;
    else stretches.push({ from: at, to: at + FRAME_MILLIS });
  }
  return stretches;
}

/** How much of it was sound. */
export function soundMillis(heard: readonly HeardPacket[]): number {
  return heard.filter(({ audio }) => levelOf(audio) > SOUND_DB).length * FRAME_MILLIS;
}

/** When the sound that was under way at this moment stopped; null: there was none. */
export function silentAt(heard: readonly HeardPacket[], moment: number): number | null {
  return stretchesOf(heard).find(({ from, to }) => from <= moment && to >= moment)?.to ?? null;
}
