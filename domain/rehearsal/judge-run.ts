import { foldedWords } from "../conversation/intents/spoken-intents.ts";

/** Whether a text has words that can be looked for. */
export function hasWords(text: string): boolean {
  return foldedWords(text).trim() !== "";
}
