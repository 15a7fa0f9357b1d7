import { beginningOf } from "../../domain/shared/storable-text.ts";
import { CHARACTERS_A_SECOND, speechMillis } from "../voice/speech-time.ts";

export type Spoken = { readonly heard: string; readonly heardMillis: number; readonly whole: boolean };

/**
 * How much of an utterance has been heard if nothing is reported: estimated by the time since its first word.
 */
export function spokenBy(text: string, beganAtMillis: number, nowMillis: number): Spoken {
  const heardMillis = Math.max(0, nowMillis - beganAtMillis);
  const characters = Math.floor((heardMillis / 1_000) * CHARACTERS_A_SECOND);
  const whole = characters >= text.length;
  return {
    heard: beginningOf(text, characters),
    heardMillis: whole ? speechMillis(text) : heardMillis,
    whole,
  };
}
