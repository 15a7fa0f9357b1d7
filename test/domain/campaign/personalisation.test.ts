import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { personalGreeting, personalise } from "../../../domain/campaign/personalisation.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

describe("personalisation", PROPERTY_TIMEOUT, () => {
  it.each([
    ["Hello {{name}}!", { name: "Ada" }, "Hello Ada!"],
    ["Hello {{ NAME }}!", { name: "Ada" }, "Hello Ada!"],
    ["Hello {{name}}!", {}, "Hello !"],
    ["{{a}}{{b}}", { a: 1, b: true }, "1true"],
    ["{{a}}", { a: null }, ""],
    ["{{a}}", { a: { b: [1, 2] } }, '{"b":[1,2]}'],
    ["{{a}}", { a: "$& $1 {{b}}", b: "x" }, "$& $1 {{b}}"],
    ["{{Key}}", { key: "first", Key: "exact" }, "exact"],
    ["{{KEY}}", { key: "first", Key: "second" }, "first"],
    ["{{first visit}}", { "First Visit": "May" }, "May"],
    ["{ {name}} {{name} }", { name: "Ada" }, "{ {name}} {{name} }"],
    ["{{ I }}", { i: "dotless stays dotless" }, "dotless stays dotless"],
    ["{{constructor}}{{__proto__}}", {}, ""],
  ])("%s", (template, values, expected) => expect(personalise(template, values)).toBe(expected));

  it("fills the greeting with the contact's name alone", () => {
    expect(personalGreeting("Hi {{name}}, {{product}}", "Ada")).toBe("Hi Ada, ");
    expect(personalGreeting("Hi {{name}}", null)).toBe("Hi ");
  });

  it("takes values literally, whatever they hold", () => {
    const property = fc.property(fc.string(), fc.string({ unit: "grapheme" }), (before, value) => {
      const text = before.replaceAll("{", "").replaceAll("}", "");
      expect(personalise(`${text}{{ key }}${text}`, { key: value })).toBe(`${text}${value}${text}`);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("leaves a text without placeholders as it is, and never fails", () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue());
    const property = fc.property(fc.string(), values, (template, given) => {
      const filled = personalise(template, given as never);
      if (!template.includes("{{")) expect(filled).toBe(template);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
