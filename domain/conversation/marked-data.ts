import type { JsonObject, JsonValue } from "../shared/json.ts";

/** Shorter words are no instruction, and stand everywhere. */
const SHORTEST = 8;

/**
 * The words of a contact that the owner's template brought into this text, each between ⟦ and ⟧, so that they can be told from the owner's own. A value
 * stands there as it was filled in: texts as they are, everything else as JSON. No value closes its own mark.
 */
export function markedData(text: string, values: JsonObject): string {
  const words = [...new Set(Object.values(values).map(filledWords))]
    .filter((each) => each.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  const plain = withoutMarks(text);
  if (words.length === 0) return plain;
  const any = new RegExp(words.map((each) => RegExp.escape(withoutMarks(each))).join("|"), "gu");
  return plain.replace(any, (found) => `⟦${found}⟧`);
}

function filledWords(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function withoutMarks(text: string): string {
  return text.replaceAll("⟦", "[").replaceAll("⟧", "]");
}
