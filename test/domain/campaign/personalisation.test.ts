import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CampaignTexts,
  createTextCheck,
  GREETING_BYTES,
  INSTRUCTIONS_BYTES,
  personalTexts,
  type TextValues,
  withoutPlaceholders,
} from "../../../domain/campaign/texts/personalisation.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import { overLinear } from "../../support/doors/processor.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const TEXTS: CampaignTexts = {
  greetingMessage: "",
  specialInstructions: null,
  voicemailMessage: null,
  assistant: { greetingMessage: "" },
  placeholders: 2,
};

function instructions(specialInstructions: string, customData: JsonObject, name: string | null = null) {
  return personalTexts({ ...TEXTS, specialInstructions }, { name, customData });
}

function greeting(greetingMessage: string, values: Partial<TextValues>) {
  return personalTexts({ ...TEXTS, greetingMessage }, { name: null, customData: {}, ...values });
}

describe("personal texts", PROPERTY_TIMEOUT, () => {
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
  ])("%s", (template, values, expected) =>
    expect(instructions(template, values)).toMatchObject({ specialInstructions: expected }),
  );

  it("takes a key however its letters are composed, since rule 3; older campaigns keep their rule", () => {
    const [composed, decomposed] = ["{{\u015eehir}} {{ŞEHİR}}", "{{S\u0327ehir}} {{ŞEHİR}}"];
    const cases: readonly (readonly [string, JsonObject])[] = [
      [composed, { "S\u0327ehir": "Bursa", "s\u0327ehi\u0307r": "İzmir" }],
      [decomposed, { "\u015eehir": "Bursa", "\u015fehi\u0307r": "İzmir" }],
    ];
    const said = (rule: 2 | 3 | undefined, specialInstructions: string, customData: JsonObject) => {
      const { placeholders: _, ...none } = TEXTS;
      const texts = { ...none, ...(rule === undefined ? {} : { placeholders: rule }), specialInstructions };
      return personalTexts(texts, { name: null, customData });
    };
    for (const [template, customData] of cases) {
      expect(said(3, template, customData)).toMatchObject({ specialInstructions: "Bursa İzmir" });
      for (const rule of [2, undefined] as const)
        expect(said(rule, template, customData)).not.toMatchObject({ specialInstructions: "Bursa İzmir" });
    }
  });

  const withRule = (placeholders: 2 | 3, said: Partial<CampaignTexts>, values: Partial<TextValues> = {}) =>
    personalTexts({ ...TEXTS, placeholders, ...said }, { name: null, customData: {}, ...values });

  it.each<readonly [template: string, values: JsonObject, expected: string]>([
    ["Hi {{name|there}}!", {}, "Hi there!"],
    ["Hi {{name|there}}!", { name: "Ada" }, "Hi Ada!"],
    ["Hi {{ NAME |there}}!", { name: null }, "Hi there!"],
    ["Hi {{name|there}}!", { name: " \u00a0" }, "Hi there!"],
    ["Hi {{name}}{{name|there}}!", { name: "" }, "Hi there!"],
    ["{{a| b c }}", {}, " b c "],
    ["{{a|}}{{a||}}", {}, "|"],
    ["{{a|x|y}}", {}, "x|y"],
    ["{{a|x\\|y\\}z\\n}}", {}, "x|y}z\\n"],
    ["{{a\\|b|c}}", { "a|b": "value" }, "value"],
    ["{{a|$& {b}}", {}, "{{a|$& {b}}"],
    ["{{a|b\\}}", {}, "{{a|b\\}}"],
    ["{{a|b}}", { a: "{{a|c}}" }, "{{a|c}}"],
    ["{{a|b}} {{A|c}}", { a: 1 }, "1 1"],
  ])("a fallback: %s", (specialInstructions, customData, expected) =>
    expect(withRule(3, { specialInstructions }, { customData })).toMatchObject({
      specialInstructions: expected,
    }),
  );

  it("has fallbacks in every text, since rule 3; older campaigns keep their rule", () => {
    const text = "Hi {{name|there}}, {{city|home}}";
    const said = { greetingMessage: text, specialInstructions: text, voicemailMessage: text };
    const all = (expected: string) => ({
      ...{ greetingMessage: expected, specialInstructions: expected, voicemailMessage: expected },
    });
    expect(withRule(3, said)).toMatchObject(all("Hi there, home"));
    expect(withRule(3, said, { name: "Ada", customData: { city: "Rome" } })).toMatchObject(
      all("Hi Ada, Rome"),
    );
    expect(withRule(2, said, { name: "Ada" })).toMatchObject(all("Hi , "));
    expect(withoutPlaceholders(text)).toBe("Hi there, home");
  });

  it("counts a fallback where it stands, and not where a value does", () => {
    const fits = "f".repeat(GREETING_BYTES);
    expect(withRule(3, { greetingMessage: `{{name|${fits}}}` })).toMatchObject({ greetingMessage: fits });
    const tooLong = { tooLong: { name: "greetingMessage" } };
    expect(withRule(3, { greetingMessage: `{{name|${fits}f}}` })).toMatchObject(tooLong);
    const named = { greetingMessage: `{{name|${fits}f}}` };
    expect(withRule(3, named, { name: "Ada" })).toMatchObject({ greetingMessage: "Ada" });
    const check = createTextCheck({ ...TEXTS, placeholders: 3, ...named });
    expect([check({ name: "Ada", customData: {} }), check({ name: null, customData: {} })]).toEqual([
      true,
      false,
    ]);
  });

  it("says the fallback where the additional value has no room", () => {
    const greetingMessage = `{{note|none}}${"x".repeat(GREETING_BYTES - 4)}`;
    const of = (note: string) => withRule(3, { greetingMessage }, { customData: { note } });
    expect(of("12345")).toMatchObject({
      leftOut: 1,
      greetingMessage: `none${"x".repeat(GREETING_BYTES - 4)}`,
    });
    expect(of("1234")).toMatchObject({
      leftOut: 0,
      greetingMessage: `1234${"x".repeat(GREETING_BYTES - 4)}`,
    });
  });

  it("counts a name of blanks as missing since rule 3", () => {
    const texts = { ...TEXTS, greetingMessage: "Hello {{name}}!", specialInstructions: "Call {{name}}." };
    const blank = { name: " \u00a0\t", customData: {} };
    expect(personalTexts({ ...texts, placeholders: 3 }, blank)).toMatchObject({
      greetingMessage: "Hello !",
      specialInstructions: "Call .",
    });
    expect(personalTexts(texts, blank)).toMatchObject({ greetingMessage: "Hello  \u00a0\t!" });
  });

  it("fills the greeting with the contact's name, and with customData as the campaign's rule says", () => {
    const texts = { ...TEXTS, greetingMessage: "Hi {{name}}, {{product}}" };
    const values = { name: "Ada", customData: { NAME: "never", Product: "tea" } };
    const { placeholders: _, ...older } = texts;
    expect(personalTexts(texts, values)).toMatchObject({ greetingMessage: "Hi Ada, tea" });
    expect(personalTexts(older, values)).toMatchObject({ greetingMessage: "Hi Ada, " });
    expect(greeting("Hi {{name}}", { customData: { name: "never" } })).toMatchObject({
      greetingMessage: "Hi ",
    });
  });

  it("fills the instructions with the name where customData has no such key", () => {
    expect(instructions("{{name}}", {}, "Ada")).toMatchObject({ specialInstructions: "Ada" });
    expect(instructions("{{name}}", { Name: null }, "Ada")).toMatchObject({ specialInstructions: "" });
  });

  it("fills the assistant's default greeting and voicemail message alike", () => {
    const assistant = { greetingMessage: "Hi {{name}} {{x}}" };
    const texts = { ...TEXTS, assistant, greetingMessage: null, voicemailMessage: "Bye {{name}} {{x}}" };
    const { placeholders: _, ...older } = texts;
    const values = { name: "Ada", customData: { x: 1 } };
    const filled = { greetingMessage: "Hi Ada 1", voicemailMessage: "Bye Ada 1" };
    expect(personalTexts(texts, values)).toMatchObject(filled);
    const seeded = { greetingMessage: "Hi Ada ", voicemailMessage: "Bye {{name}} {{x}}" };
    expect(personalTexts(older, values)).toMatchObject(seeded);
  });

  it("has nothing to fill a single call's texts with", () =>
    expect(withoutPlaceholders("Hi {{name}}, {{ x }}{ }")).toBe("Hi , { }"));

  it.each([
    ["a", 1],
    ["é", 2],
    ["€", 3],
    ["😀", 4],
  ])("lets exactly the limit pass, in bytes of UTF-8: %s", (character, bytes) => {
    const room = GREETING_BYTES - 10;
    const fits = character.repeat(Math.floor(room / bytes)) + "x".repeat(room % bytes);
    const template = `${"x".repeat(10)}{{name}}`;
    expect(greeting(template, { name: fits }).tooLong).toBeNull();
    expect(greeting(template, { name: `${fits}x` }).tooLong).toMatchObject({ name: "greetingMessage" });
    const rest = "x".repeat(INSTRUCTIONS_BYTES - 2 * GREETING_BYTES + 20);
    const twice = (value: string) => instructions(`${rest}{{a}}{{A}}`, { a: value }).tooLong;
    expect(twice(fits)).toBeNull();
    expect(twice(`${fits}x`)).toMatchObject({ name: "specialInstructions", limit: INSTRUCTIONS_BYTES });
  });

  it("leaves an additional value out that has no room, and fills the next one that has", () => {
    const customData = {
      long: "y".repeat(GREETING_BYTES),
      short: "z",
      exact: "e".repeat(GREETING_BYTES - 4),
    };
    const values = { name: "Ada", customData };
    expect(greeting("{{long}}{{name}}{{short}}", values)).toMatchObject({
      tooLong: null,
      greetingMessage: "Adaz",
      leftOut: 1,
    });
    const full = greeting("{{short}}{{exact}}{{name}}{{short}}", values);
    expect(full).toMatchObject({ greetingMessage: `z${customData.exact}Ada`, leftOut: 1 });
  });

  it("refuses a bomb for the cost of its text, and leaves an additional one out", async () => {
    const bomb = "{{a}}".repeat(6_553);
    const customData = { a: "x".repeat(16_000) };
    const refuseOnce = () => {
      expect(instructions(bomb, customData).tooLong).not.toBeNull();
      expect(createTextCheck({ ...TEXTS, specialInstructions: bomb })({ name: null, customData })).toBe(
        false,
      );
      const small = greeting("{{a}}".repeat(819), { customData });
      expect(small).toMatchObject({ greetingMessage: "", leftOut: 819 });
    };
    // As one text it would be 105 MB.
    const before = process.memoryUsage().heapUsed;
    for (let time = 0; time < 20; time += 1) refuseOnce();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
    expect(await overLinear(refuseOnce, bomb.length + customData.a.length, 10)).toBeNull();
  });

  it("costs what is linear also with thousands of spellings and keys", async () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}`);
    const text = keys.map((key) => `{{${key.toUpperCase()}}}`).join("");
    const customData = Object.fromEntries(keys.map((key) => [key, 1]));
    const fill = () =>
      expect(instructions(text, customData)).toMatchObject({ specialInstructions: "1".repeat(2_000) });
    expect(await overLinear(fill, text.length + JSON.stringify(customData).length)).toBeNull();
  });

  it("says what a naive filling says, or that it is too long", () => {
    const key = fc.constantFrom("a", "A", "b", "name", "Name", "é");
    const part = fc.oneof(
      key.map((each) => `{{${each}}}`),
      key.map((each) => `{{ ${each} }}`),
      fc.constantFrom("{", "}", "x", "é", "😀", "{{", "$&"),
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
    const value: fc.Arbitrary<JsonValue> = fc.constantFrom(null, "", "v", "{{b}}", "€€", "wwwwwwww", 7);
    const customData = fc.dictionary(key, value);
    const name = fc.constantFrom(null, "Ada", "Zoë 😀");
    const limits = fc.record({ greeting: fc.nat(30), instructions: fc.nat(30) });
    const property = fc.property(
      text,
      text,
      customData,
      name,
      limits,
      (first, second, data, called, most) => {
        const texts = { ...TEXTS, greetingMessage: first, specialInstructions: second };
        const values = { name: called, customData: data };
        expect(personalTexts(texts, values, most)).toEqual(naiveTexts(texts, values, most));
      },
    );
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});

type Limits = { readonly greeting: number; readonly instructions: number };

/** Fills piece by piece and measures each time. */
function naiveTexts(texts: CampaignTexts, { name, customData }: TextValues, limits: Limits) {
  const greetingText = naive(texts.greetingMessage ?? "", { name }, customData, limits.greeting);
  const tooLong = (of: "greetingMessage" | "specialInstructions", limit: number) => ({
    tooLong: { name: of, limit },
  });
  if (greetingText === null) return tooLong("greetingMessage", limits.greeting);
  const said = naive(texts.specialInstructions ?? "", customData, { name }, limits.instructions);
  if (said === null) return tooLong("specialInstructions", limits.instructions);
  return {
    tooLong: null,
    greetingMessage: greetingText.text,
    specialInstructions: said.text,
    voicemailMessage: null,
    leftOut: greetingText.leftOut + said.leftOut,
  };
}

function naive(text: string, own: JsonObject, more: JsonObject, limit: number) {
  const pieces = text.split(/(\{\{[^{}]*\}\})/);
  const keyOf = (piece: string) => /^\{\{([^{}]*)\}\}$/.exec(piece)?.[1]?.trim() ?? null;
  const filled = pieces.map((piece) => {
    const key = keyOf(piece);
    return key === null ? piece : (naiveValue(own, key) ?? "");
  });
  const length = () => Buffer.byteLength(filled.join(""));
  if (length() > limit) return null;
  let leftOut = 0;
  pieces.forEach((piece, index) => {
    const key = keyOf(piece);
    if (key === null || naiveValue(own, key) !== null) return;
    filled[index] = naiveValue(more, key) ?? "";
    if (length() <= limit) return;
    filled[index] = "";
    leftOut += 1;
  });
  return { text: filled.join(""), leftOut };
}

/** null: there is no such key. */
function naiveValue(values: JsonObject, key: string): string | null {
  const entries = Object.entries(values);
  const found =
    entries.find(([each]) => each === key) ??
    entries.find(([each]) => each.toLowerCase() === key.toLowerCase());
  if (found === undefined) return null;
  const [, value] = found;
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
