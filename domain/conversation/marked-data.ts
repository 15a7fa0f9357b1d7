import type { JsonObject, JsonValue } from "../shared/json.ts";

/** Shorter values are no instruction, and occur everywhere. */
const SHORTEST = 8;

/**
 * Marks with ⟦ and ⟧ the values of a contact that the owner's template brought into this text, so that the
 * model can tell them from the owner's words. Values appear as they were filled in: texts as they are,
 * everything else as JSON. No value can close its own mark.
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
