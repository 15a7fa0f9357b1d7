import type { SuppressionListRecord } from "../../../contract/suppression-list.ts";
import { useTexts } from "../texts/language.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

/** What a list of numbers that nobody calls is, in words. */
export function useListKind(): (kind: SuppressionListRecord["kind"]) => string {
  const say = useTexts({ en, tr });
  return (kind) => say(`kind.${kind}`);
}
