import { describe, expect, it } from "vitest";
import { instantFromMillis, millisOf, parseInstant, plusMillis } from "../../../domain/shared/instant.ts";

describe("an instant", () => {
  it("is UTC with milliseconds, and sorts as text", () => {
    expect(instantFromMillis(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(millisOf("2026-09-01T10:00:00.123Z")).toBe(1_788_256_800_123);
    expect(plusMillis("2026-09-01T10:00:00.000Z", 1)).toBe("2026-09-01T10:00:00.001Z");
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
