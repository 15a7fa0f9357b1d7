import type { PreviewContact } from "./read-file.ts";

/** Without a fallback: a bar begins one, unless it is written `\|`. */
const PLACEHOLDER = /\{\{((?:\\\||\\(?!\|)|[^{}|\\])*)\}\}/g;

/** Keys of a text without a value for a contact and without a fallback: they are left out when it is spoken. */
export function unfilledKeys(text: string, { name, customData }: PreviewContact): readonly string[] {
  const filled = new Set(
    Object.entries(customData)
      .filter(([, value]) => value !== "")
      .map(([key]) => key.toLowerCase()),
  );
  if (name !== undefined) filled.add("name");
  const keys = [...text.matchAll(PLACEHOLDER)].map(([, key = ""]) => key.replaceAll("\\|", "|").trim());
  return [...new Set(keys.filter((key) => !filled.has(key.toLowerCase())))];
}
