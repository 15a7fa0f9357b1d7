import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEligibilityAnswer } from "../../../domain/policy/eligibility-answer.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const NOW = "2026-11-27T10:00:00.000Z";
const read = (value: unknown) => readEligibilityAnswer(JSON.stringify(value), NOW);

describe("an answer of the address that is asked", () => {
  it("allows the dial by `allowed: true` alone", () => {
    expect(read({ allowed: true })).toEqual({ kind: "allowed" });
    expect(read({ allowed: true, reason: null, until: null })).toEqual({ kind: "allowed" });
  });

  it("refuses for good, or until a time of at most 30 days, in words of at most 255 characters", () => {
    expect(read({ allowed: false })).toEqual({ kind: "refused", reason: null, until: null });
    const until = "2026-12-27T11:00:00+01:00";
    expect(read({ allowed: false, reason: "ödendi \u0000", until })).toEqual({
      kind: "refused",
      reason: "ödendi \ufffd",
      until: "2026-12-27T10:00:00.000Z",
    });
    expect(read({ allowed: false, reason: "😀".repeat(255) })).toMatchObject({ kind: "refused" });
  });

  it.each([
    ["no_answer", {}],
    ["no_answer", { allowed: "true" }],
    ["no_answer", { allowed: 1 }],
    ["no_answer", { allowed: null }],
    ["no_answer", { allowed: true, reason: "has paid" }],
    ["no_answer", { allowed: true, until: "2026-12-01T00:00:00Z" }],
    ["unknown_field", { allowed: true, cached: true }],
    ["unknown_field", { allowed: false, Reason: "has paid" }],
    ["bad_reason", { allowed: false, reason: 7 }],
    ["bad_reason", { allowed: false, reason: "😀".repeat(256) }],
    ["bad_until", { allowed: false, until: 1_766_000_000 }],
    ["bad_until", { allowed: false, until: "tomorrow" }],
    ["bad_until", { allowed: false, until: "2026-12-01T00:00:00" }],
    ["bad_until", { allowed: false, until: "2026-12-27T10:00:00.001Z" }],
    ["not_json", [{ allowed: true }]],
    ["not_json", true],
    ["not_json", null],
  ])("is none (%s): %j", (why, value) => {
    expect(read(value)).toEqual({ kind: "unavailable", why });
  });

  it.each(["", "allowed", '{"allowed": true', '{"allowed": true} {"allowed": true}'])(
    "is none where it is no JSON: %j",
    (text) => {
      expect(readEligibilityAnswer(text, NOW)).toEqual({ kind: "unavailable", why: "not_json" });
    },
  );

  it("allows nobody by anything else", PROPERTY_TIMEOUT, () => {
    const property = fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      const isAllowed = JSON.stringify(value) === '{"allowed":true}';
      expect(readEligibilityAnswer(text, NOW).kind === "allowed").toBe(isAllowed);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
