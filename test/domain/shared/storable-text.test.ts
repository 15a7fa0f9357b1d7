import { describe, expect, it } from "vitest";
import { beginningOf, endOf, storable, storableText } from "../../../domain/shared/storable-text.ts";

const PICTURE = "😀";

describe("a text as stores keep it", () => {
  it.each([
    ["nothing to do", "Zoë 😀", "Zoë 😀"],
    ["NUL", "a\u0000b", "a\ufffdb"],
    ["the first half of a character", "a\ud83d b", "a\ufffd b"],
    ["the second half", "\ude00b", "\ufffdb"],
  ])("%s", (_what, text, stored) => {
    expect(storableText(text)).toBe(stored);
  });

  it("in JSON: values and keys, however deep", () => {
    const value = { "k\u0000": ["\ud83d", { deep: "\u0000", n: 1, no: null, yes: true }] };
    expect(storable(value)).toEqual({
      "k\ufffd": ["\ufffd", { deep: "\ufffd", n: 1, no: null, yes: true }],
    });
  });
});

describe("a cut", () => {
  const text = `a${PICTURE.repeat(3)}b`;
  it("never goes through a character, at any place", () => {
    for (let units = 0; units <= text.length + 1; units += 1) {
      const [beginning, end] = [beginningOf(text, units), endOf(text, units)];
      expect([beginning.isWellFormed(), end.isWellFormed()]).toEqual([true, true]);
      expect(text.startsWith(beginning) && text.endsWith(end)).toBe(true);
      for (const part of [beginning, end]) {
        expect(part.length).toBeLessThanOrEqual(units);
        expect(part.length).toBeGreaterThanOrEqual(Math.min(units, text.length) - 1);
      }
    }
  });
});
