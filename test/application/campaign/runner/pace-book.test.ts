import { describe, expect, it } from "vitest";
import { createPaceBook, type Sight } from "../../../../application/campaign/runner/pace-book.ts";

const SECOND = 1_000;

describe("the pace of a campaign", () => {
  const note = (sights: readonly Sight[]) => {
    const book = createPaceBook();
    return sights.map((sight) => book.note("cmp_1", sight));
  };
  const every = (seconds: number, until: number, of: (second: number) => Partial<Sight>) =>
    Array.from({ length: Math.floor(until / seconds) + 1 }, (_, index): Sight => {
      const second = index * seconds;
      return { millis: second * SECOND, done: second, isCalling: true, ...of(second) };
    });

  it("is not known before 5 s of calling", () => {
    expect(note(every(1, 5, () => ({}))).map((pace) => pace?.millis ?? null)).toEqual([
      ...Array.from({ length: 5 }, () => null),
      5 * SECOND,
    ]);
    expect(note(every(1, 60, () => ({ isCalling: false }))).at(-1)).toBeNull();
  });

  it("is that of the last five minutes, to ten seconds", () => {
    const pace = note(
      every(1, 1_000, (second) => ({ done: second < 500 ? second : 500 + (second - 500) * 7 })),
    ).at(-1);
    expect(pace?.contacts).toBe(7 * ((pace?.millis ?? 0) / SECOND));
    expect(pace?.millis).toBeGreaterThanOrEqual(300 * SECOND);
    expect(pace?.millis).toBeLessThan(320 * SECOND);
  });

  it("begins at a full ten seconds of calling that lie five minutes back or more", () => {
    const spans = note(every(1, 1_005, () => ({}))).map((pace) => pace?.millis);
    expect([spans[1_000], spans[1_005]]).toEqual([300 * SECOND, 305 * SECOND]);
  });

  it("leaves out the times in which nobody was called", () => {
    const sights = every(1, 100, (second) => ({
      done: Math.min(second, 10) + Math.max(0, second - 90),
      isCalling: second <= 10 || second > 90,
    }));
    expect(note(sights).at(-1)).toEqual({ contacts: 20, millis: 20 * SECOND });
  });

  it("begins anew for a campaign that was forgotten", () => {
    const book = createPaceBook();
    book.note("cmp_1", { millis: 0, done: 0, isCalling: true });
    book.keep(new Set(["cmp_2"]));
    expect(book.note("cmp_1", { millis: 60 * SECOND, done: 9, isCalling: true })).toBeNull();
  });
});
