import { describe, expect, it } from "vitest";
import { isElsewhere, piecesOf } from "../../dashboard/src/ui/moments.ts";

const SENTENCE =
  "Ada (+15005550002) waits for a retry, which is due at 2026-09-01 13:00:00 +03:00: attempt 1 of at most 2 ended at 2026-09-01 12:45:00 +03:00 as busy.";

describe("instants of a sentence", () => {
  it("are found, and the pieces make up the sentence again", () => {
    const pieces = piecesOf(SENTENCE);
    expect(pieces.map(({ text }) => text).join("")).toBe(SENTENCE);
    expect(pieces.flatMap(({ at }) => (at === null ? [] : [at.toISOString()]))).toEqual([
      "2026-09-01T10:00:00.000Z",
      "2026-09-01T09:45:00.000Z",
    ]);
    expect(piecesOf("Nobody.")).toEqual([{ text: "Nobody.", at: null }]);
    expect(piecesOf("")).toEqual([]);
  });

  it("are told once more only to whoever has another clock", () => {
    const at = new Date("2026-09-01T10:00:00Z");
    const minutes = -at.getTimezoneOffset();
    const own = (offset: number) => {
      const [hours, rest] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const clock = [hours, rest].map((each) => String(each).padStart(2, "0")).join(":");
      return { text: `2026-09-01 00:00:00 ${offset < 0 ? "-" : "+"}${clock}`, at };
    };
    expect(isElsewhere(own(minutes))).toBe(false);
    expect(isElsewhere(own(minutes + 30))).toBe(true);
    expect(isElsewhere(own(minutes - 90))).toBe(true);
    expect(isElsewhere({ text: "13:00", at: null })).toBe(false);
  });
});
