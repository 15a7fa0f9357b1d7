import { useCallback } from "react";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.tsx";
import type { CallingDraft } from "./calling-draft.ts";
import { en } from "./en.ts";
import { sentenceOf } from "./hours-sentence.ts";
import { tr } from "./tr.ts";

/** Says in a sentence when people are called. `hasOwnZones`: some people have a zone of their own. */
export function useHours(): (draft: CallingDraft, hasOwnZones: boolean) => string {
  const say = useTexts({ en, tr });
  const { locale } = useFormat();
  return useCallback((draft, hasOwnZones) => sentenceOf(draft, hasOwnZones, say, locale), [say, locale]);
}
