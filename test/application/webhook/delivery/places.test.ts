import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_PLACES,
  type EndpointStanding,
  mayBegin,
  type PlacesTaken,
} from "../../../../application/webhook/delivery/places.ts";

const none: PlacesTaken = { total: 0, slow: 0, new: 0 };
const begins = (standing: EndpointStanding, mine: number, taken: PlacesTaken = none) =>
  mayBegin(DEFAULT_PLACES, standing, mine, taken);

describe("mayBegin", () => {
  it("gives a good endpoint eight places", () => {
    expect(begins("good", 7)).toBe(true);
    expect(begins("good", 8)).toBe(false);
  });

  it.each(["slow", "new"] as const)("gives a %s endpoint one", (standing) => {
    expect(begins(standing, 0)).toBe(true);
    expect(begins(standing, 1)).toBe(false);
  });

  it("gives all slow ones together 128", () => {
    expect(begins("slow", 0, { total: 127, slow: 127, new: 0 })).toBe(true);
    expect(begins("slow", 0, { total: 128, slow: 128, new: 0 })).toBe(false);
  });

  it("keeps the first place of a good endpoint free from slow and new ones", () => {
    expect(begins("new", 0, { total: 192, slow: 128, new: 64 })).toBe(false);
    expect(begins("good", 0, { total: 192, slow: 128, new: 64 })).toBe(true);
  });

  it("keeps it free from the second places of other good ones", () => {
    expect(begins("good", 1, { total: 192, slow: 0, new: 0 })).toBe(false);
    expect(begins("good", 0, { total: 255, slow: 0, new: 0 })).toBe(true);
    expect(begins("good", 0, { total: 256, slow: 0, new: 0 })).toBe(false);
  });

  const standings = fc.constantFrom<EndpointStanding[]>("good", "slow", "new");
  const steps = fc.array(fc.record({ endpoint: fc.nat({ max: 400 }), ends: fc.boolean() }), {
    maxLength: 2_000,
  });

  test.prop([fc.array(standings, { minLength: 401, maxLength: 401 }), steps])(
    "never gives more than 256 in all, 128 to slow ones, eight or one to each",
    (standingOf, order) => {
      const mine = new Map<number, number>();
      const taken = { total: 0, slow: 0, new: 0, good: 0 };
      for (const { endpoint, ends } of order) {
        const standing = standingOf[endpoint] ?? "new";
        const held = mine.get(endpoint) ?? 0;
        const change = ends ? (held > 0 ? -1 : 0) : mayBegin(DEFAULT_PLACES, standing, held, taken) ? 1 : 0;
        mine.set(endpoint, held + change);
        taken.total += change;
        taken[standing] += change;
        expect(taken.total).toBeLessThanOrEqual(256);
        expect(taken.slow).toBeLessThanOrEqual(128);
        expect(held + change).toBeLessThanOrEqual(standing === "good" ? 8 : 1);
      }
    },
  );
});
