/** Estimated speed of speech. */
export const CHARACTERS_A_SECOND = 15;

/** Estimated line time of a text, in milliseconds. */
export function speechMillis(text: string): number {
  return (text.length * 1_000) / CHARACTERS_A_SECOND;
}

/** The beginning of a text that was heard after so much line time, cut after a whole word. */
export function heardAfter(text: string, lineMillis: number): string {
  const characters = Math.floor((Math.max(0, lineMillis) * CHARACTERS_A_SECOND) / 1_000);
  if (characters >= text.length) return text;
  const end = text.lastIndexOf(" ", characters);
  return end <= 0 ? "" : text.slice(0, end);
}
