import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  type Instant,
  instantFromMillis,
  millisOf,
  parseInstant,
  plusMillis,
} from "../../../domain/shared/instant.ts";

/** Of a year with four digits, and of any that Date can hold. */
const moment = fc.oneof(
  fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: Date.parse("9999-12-30T00:00:00Z") }),
  fc.integer({ min: -8_600_000_000_000_000, max: 8_600_000_000_000_000 }),
);

describe("an instant", () => {
  it("is UTC with milliseconds, and sorts as text", () => {
    expect(instantFromMillis(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(millisOf("2026-09-01T10:00:00.123Z")).toBe(1_788_256_800_123);
    expect(plusMillis("2026-09-01T10:00:00.000Z", 1)).toBe("2026-09-01T10:00:00.001Z");
  });
  test.prop([moment, fc.integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 })])(
    "is written and read as Date does it, also beside another day",
    (millis, further) => {
      for (const each of [millis, millis + further, millis + 0.5]) {
        const text = instantFromMillis(each);
        expect(text).toBe(new Date(each).toISOString());
        expect(millisOf(text)).toBe(Date.parse(text));
      }
    },
  );
  test.prop([moment, fc.nat({ max: 23 }), fc.constantFrom(..."0123456789 -:.TZx")])(
    "with one other character is read as Date does it, or is none to both",
    (millis, place, character) => {
      const text = new Date(millis).toISOString();
      const other: Instant = `${text.slice(0, place)}${character}${text.slice(place + 1, -1)}Z`;
      expect(millisOf(other)).toBe(Date.parse(other));
    },
  );
  it("of what is no moment cannot be written", () => {
    for (const millis of [Number.NaN, Number.POSITIVE_INFINITY, 8_640_000_000_000_001])
      expect(() => instantFromMillis(millis)).toThrow(RangeError);
    expect(millisOf("soonZ")).toBeNaN();
  });
  it.each([
    ["2026-09-01T10:00:00.000Z", "2026-09-01T10:00:00.000Z"],
    ["2026-09-01T10:00Z", "2026-09-01T10:00:00.000Z"],
    ["2026-09-01T10:00:00.1234567+03:00", "2026-09-01T07:00:00.123Z"],
    ["2026-09-01T10:00:00-05:30", "2026-09-01T15:30:00.000Z"],
  ])("%s is read as %s", (text, instant) => expect(parseInstant(text)).toBe(instant));
  it.each([
    "2026-09-01",
    "2026-09-01T10:00:00",
    "2026-13-01T10:00:00Z",
    "x2026-09-01T10:00:00Z",
    "2026-09-01T10:00:00Zx",
    "2026-09-01T10:00:00Z (UTC)",
    "+002026-09-01T10:00:00Z",
    "2026-09-01T10:00:00.Z",
    "soon",
    "",
  ])("%j is none", (text) => expect(parseInstant(text)).toBeNull());
});
