import { describe, expect, it } from "vitest";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { behaviourOf } from "../../../simulation/callee/personas.ts";
import { PHRASES } from "../../../simulation/model/phrases.ts";

const OPT_OUT = "Please never call me again.";
const CALL_LATER = "I cannot talk now. Please call me again in two minutes.";
const MANY = 5_000;
/** A share of 0.02 of so many is 100; six times its deviation of 10 is never left. */
const FEWEST = 40;
const MOST = 160;

/** What people of different numbers answer to the first words, by how many say it. */
function answersTo(heard: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let index = 0; index < MANY; index += 1) {
    const to: PhoneNumber = `+1202${String(5_000_000 + index)}`;
    const reaction = behaviourOf({ seed: 1, to, dialsBefore: 0, outcome: "talks" }).reacts(0, heard, 1);
    const said = reaction.kind === "say" ? reaction.text : reaction.kind;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  return counts;
}

const wishesTo = (heard: string) => {
  const answers = answersTo(heard);
  return { optOut: answers.get(OPT_OUT) ?? 0, later: answers.get(CALL_LATER) ?? 0 };
};

describe("somebody who talks", () => {
  it.each([
    "Hello Ada. If you do not want to be called again, say so.",
    "Hello. You may ask us to stop calling.",
    "Hello. Tell us if we should never call you again.",
  ])("is one in fifty who wants no more calls, once it is told: %s", (greeting) => {
    const { optOut, later } = wishesTo(greeting);
    expect(optOut).toBeGreaterThan(FEWEST);
    expect(optOut).toBeLessThan(MOST);
    expect(later).toBe(0);
  });

  it.each(["Hello. I can also call you again later.", "Hello Ada. Shall I call back at another time?"])(
    "is one in fifty who wants a call later, once it is told: %s",
    (greeting) => {
      const { optOut, later } = wishesTo(greeting);
      expect(later).toBeGreaterThan(FEWEST);
      expect(later).toBeLessThan(MOST);
      expect(optOut).toBe(0);
    },
  );

  it("asks for neither where nobody says so, also when the model has promised or refused something", () => {
    const said = Object.values(PHRASES.en).flatMap((lines) =>
      typeof lines === "string" ? [lines] : Object.values<string>({ ...lines }),
    );
    expect(said.length).toBeGreaterThan(30);
    for (const line of ["Hello Ada, will you come to your appointment?", ...said])
      expect(wishesTo(line)).toEqual({ optOut: 0, later: 0 });
  });

  it("answers as it would without the wish, for all others", () => {
    const greeting = "Hello.";
    const told = "Hello. I can also call you again later.";
    const kinds = (heard: string) =>
      [...answersTo(heard).keys()].filter((said) => said !== CALL_LATER).sort();
    expect(kinds(told)).toEqual(kinds(greeting));
  });
});
