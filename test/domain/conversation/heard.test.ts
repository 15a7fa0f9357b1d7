import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreeingBeginning, beginningByTime, speechMillis } from "../../../domain/conversation/heard.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

describe("what was heard", () => {
  it.each([
    [
      "agrees in letters and digits, whatever the marks",
      "Hello, I am Ada. How are you?",
      "hello i am ada",
      "Hello, I am Ada.",
    ],
    ["ends in the middle of a word when the carrier says so", "Hello there", "hello th", "Hello th"],
    ["ends where the carrier's words become others", "One two three", "one two five", "One two"],
    ["is nothing when nothing was heard", "Hello", "", ""],
    ["is everything when all was heard", "Yes!", "yes", "Yes!"],
    ["knows letters of every alphabet", "Günaydın, hoş geldiniz", "günaydın hoş", "Günaydın, hoş"],
    ["is not known by words of another text", "Hello", "quite different", null],
  ] as const)("%s", (_rule, text, heard, expected) => {
    expect(agreeingBeginning(text, heard)).toBe(expected);
  });

  it.each([
    ["whole words of the time", "Hello there you", 1_000, "Hello there you"],
    ["no half word", "Hello there you", 700, "Hello"],
    ["nothing before the first word is over", "Hello there", 200, ""],
    ["all when the time is over", "Hello", 10_000, "Hello"],
  ] as const)("by time: %s", (_rule, text, millis, expected) => {
    expect(beginningByTime(text, millis)).toBe(expected);
  });

  it("is a beginning of our own text, whatever the carrier tells", PROPERTY_TIMEOUT, () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        fc.nat(20_000),
        (text, heard, millis) => {
          expect(text.startsWith(agreeingBeginning(text, heard) ?? "")).toBe(true);
          expect(text.startsWith(beginningByTime(text, millis))).toBe(true);
          expect(speechMillis(beginningByTime(text, millis))).toBeLessThanOrEqual(Math.max(millis, 0));
        },
      ),
      { numRuns: PROPERTY_RUNS },
    ),
  );
});
