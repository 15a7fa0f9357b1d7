/** Of a voice that reads aloud; what a reader takes is about the same. */
const CHARACTERS_A_SECOND = 15;

export type Spoken = { readonly heard: string; readonly heardMillis: number; readonly whole: boolean };

/** How much of an utterance has been heard when nobody tells: by the time that passed since its first word could be said. */
export function spokenBy(text: string, beganAtMillis: number, nowMillis: number): Spoken {
  const heardMillis = Math.max(0, nowMillis - beganAtMillis);
  const characters = Math.floor((heardMillis / 1_000) * CHARACTERS_A_SECOND);
  const whole = characters >= text.length;
  return { heard: text.slice(0, characters), heardMillis: whole ? millisToSay(text) : heardMillis, whole };
}

export function millisToSay(text: string): number {
  return (text.length / CHARACTERS_A_SECOND) * 1_000;
}
