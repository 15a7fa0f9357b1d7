import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OptOutLanguage } from "../../../../domain/conversation/intents/opt-out.ts";

export const LANGUAGES = ["en", "tr", "de", "fr", "es"] as const satisfies readonly OptOutLanguage[];

/** `asks` is a wish never to be called again; all others must not be taken for one. */
const KINDS = ["asks", "restricted", "negated", "questions", "reported", "voicemail", "other"] as const;
export type Kind = (typeof KINDS)[number];

export type Spoken = { readonly language: OptOutLanguage; readonly kind: Kind; readonly words: string };

/**
 * Sentences as people say them, and as speech recognition writes them, in `corpus/<language>.txt`: one a
 * line, under a line `== <kind>`.
 */
export const CORPUS: readonly Spoken[] = LANGUAGES.flatMap((language) => {
  const text = readFileSync(join(import.meta.dirname, `corpus/${language}.txt`), "utf8");
  let kind: Kind | undefined;
  return text.split("\n").flatMap((line): Spoken[] => {
    if (line.trim() === "") return [];
    if (!line.startsWith("== ")) return kind === undefined ? [] : [{ language, kind, words: line }];
    kind = KINDS.find((each) => each === line.slice(3).trim());
    if (kind === undefined) throw new Error(`${language}.txt: no kind of sentence: ${line}`);
    return [];
  });
});

export function countOf(kind: Kind, language?: OptOutLanguage): number {
  return CORPUS.filter((each) => each.kind === kind && each.language === (language ?? each.language)).length;
}
