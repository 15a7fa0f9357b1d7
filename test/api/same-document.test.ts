import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "./support/document.ts";

/**
 * The document as it was before `contract/` (docs/decisions/0101-say-it-once.md), with its keys sorted. An
 * intended change of the API changes the copy too.
 */
const BEFORE = join(import.meta.dirname, "document-before.json");

it("is the document as it was, but for the order of its keys", async () => {
  const { raw } = await loadDocument();
  const before: unknown = JSON.parse(readFileSync(BEFORE, "utf8"));
  expect(sorted(raw)).toEqual(before);
  expect(JSON.stringify(sorted(raw))).toBe(JSON.stringify(before));
});

/** Keys in order of their letters; lists as they are, but for what has no order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
