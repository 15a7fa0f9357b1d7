import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markedData } from "../../../domain/conversation/system-prompt.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

/** Few letters, so that values occur in the text, in one another and over one another. */
const unit = fc.constantFrom("a", "a", "b", "(", ".", "⟦", "⟧", "😀");
const text = fc.string({ unit, maxLength: 120, size: "max" });
const values = fc.dictionary(
  fc.string({ unit: "grapheme-ascii", maxLength: 3 }),
  fc.oneof(fc.string({ unit, minLength: 6, maxLength: 12 }), fc.constantFrom(12_345_678, null, ["aaaa"])),
  { maxKeys: 8 },
);

/** One pattern of all values, the longest first. */
function byPattern(given: string, of: Readonly<Record<string, unknown>>): string {
  const plain = (each: string) => each.replaceAll("⟦", "[").replaceAll("⟧", "]");
  const words = Object.values(of)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .filter((each) => each.length >= 8)
    .toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return plain(given);
  const any = new RegExp(words.map((each) => RegExp.escape(plain(each))).join("|"), "gu");
  return plain(given).replace(any, (found) => `⟦${found}⟧`);
}

describe("the values of a contact in a prompt", PROPERTY_TIMEOUT, () => {
  it("are marked as one pattern of them all would mark them", () => {
    const filled = fc
      .tuple(text, values, fc.array(fc.nat(120), { maxLength: 6 }))
      .map(([around, of, places]) => {
        const words = Object.values(of).map((value) =>
          typeof value === "string" ? value : JSON.stringify(value),
        );
        const whole = places.reduce(
          (before, place, index) =>
            before.slice(0, place) + (words[index % words.length] ?? "") + before.slice(place),
          around,
        );
        return [whole.toWellFormed(), of] as const;
      });
    const property = fc.property(filled, ([given, of]) => {
      expect(markedData(given, of)).toBe(byPattern(given, of));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("are marked by the longest where several begin", () =>
    expect(markedData("say aaaaaaaab now", { one: "aaaaaaaa", two: "aaaaaaaab" })).toBe(
      "say ⟦aaaaaaaab⟧ now",
    ));
});
