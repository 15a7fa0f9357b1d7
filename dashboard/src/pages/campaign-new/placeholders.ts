import type { PreviewContact } from "./read-file.ts";

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The keys of a text that are not filled for a contact: they are left out of what is said. */
export function unfilledKeys(text: string, { name, customData }: PreviewContact): readonly string[] {
  const filled = new Set(
    Object.entries(customData)
      .filter(([, value]) => value !== "")
      .map(([key]) => key.toLowerCase()),
  );
  if (name !== undefined) filled.add("name");
  const keys = [...text.matchAll(PLACEHOLDER)].map(([, key = ""]) => key);
  return [...new Set(keys.filter((key) => !filled.has(key.toLowerCase())))];
}
