import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JudgedAnswer, judgeAnswer, judgeRepaired } from "../../../domain/outcome/judge-answer.ts";
import type { OutcomeSettings, OutcomeType } from "../../../domain/outcome/settings.ts";
import { utf8Length } from "../../../domain/shared/utf8.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { OUTCOME, transcriptOf } from "./example-outcome.ts";

/** Only 1, 3 and 5 prove anything. */
const TRANSCRIPT = transcriptOf([
  { assistant: "Will you come?" },
  { customer: "Yes, two of us." },
  { keys: "1" },
  { customer: "On Thursday at ten." },
  { tool: "end_call", toolId: null, wasAsked: false },
  { tool: "look_up" },
]);
const PROVING = [1, 3, 5];
const MANY = transcriptOf(Array.from({ length: 60 }, () => ({ customer: "Yes." })));

function oneField(type: OutcomeType, values?: readonly string[]): OutcomeSettings {
  const field = { name: "it", type, description: "d", ...(values === undefined ? {} : { values }) };
  return { summary: false, fields: [field], success: null };
}

const judge = (answer: unknown, outcome = OUTCOME) => judgeAnswer(outcome, TRANSCRIPT, answer);
/** As JSON that a server sent. */
const parsed = (text: string): unknown => JSON.parse(text);
const given = (value: unknown, messages: unknown = [1]) => ({ fields: { it: { value, messages } } });
const taken = (type: OutcomeType, value: unknown, values?: readonly string[]) =>
  judge(given(value), oneField(type, values)).fields["it"];

describe("an answer", () => {
  it("is worth what fits and is proven", () => {
    const answer = {
      summary: "They come on Thursday.",
      fields: {
        confirmed: { value: true, messages: [1] },
        reason: { value: "toothache", messages: [] },
        price: { value: 12.5, messages: [3, 1, 3] },
        persons: { value: "two", messages: [1] },
        mood: { value: null, messages: [] },
        newTime: { value: "2026-09-03T10:00:00+03:00", messages: [3, 5] },
      },
    };
    expect(judge(answer)).toEqual({
      fields: {
        confirmed: true,
        reason: null,
        price: 12.5,
        persons: null,
        mood: null,
        birthday: null,
        newTime: "2026-09-03T07:00:00.000Z",
      },
      evidence: { confirmed: [1], price: [1, 3], newTime: [3, 5] },
      unsupported: ["reason", "persons"],
      summary: "They come on Thursday.",
      success: true,
      faults: [{ place: "fields.persons", problem: "its value must be a whole number, or null" }],
    });
  });

  it("has a value only with a message of the customer, or of a tool that was answered", () => {
    for (const bad of [[], [0], [2], [4], [6], [-1], [0.5], ["1"], [null], [[1]], [{ 1: 1 }], [true]]) {
      const judged = judge(given(true, bad), oneField("boolean"));
      expect([bad, judged.fields, judged.evidence, judged.unsupported]).toEqual([
        bad,
        { it: null },
        {},
        ["it"],
      ]);
      // Who is pressed for evidence invents some.
      expect(judged.faults).toEqual([]);
    }
    for (const index of PROVING)
      expect(judge(given(true, [0, index, 99]), oneField("boolean")).evidence).toEqual({ it: [index] });
  });

  it("proves a value by at most 20 messages, each once, ascending", () => {
    const all = Array.from({ length: 60 }, (_, index) => 59 - index);
    const { evidence } = judgeAnswer(oneField("boolean"), MANY, given(true, [...all, ...all]));
    expect(evidence["it"]).toEqual(Array.from({ length: 20 }, (_, index) => 40 + index));
  });

  it("without a value is no value, whatever it names, and is nothing to repair", () => {
    const none: JudgedAnswer = {
      fields: { it: null },
      evidence: {},
      unsupported: [],
      summary: null,
      success: null,
      faults: [],
    };
    for (const it of [null, undefined, { value: null, messages: [1] }, { value: null }])
      expect(judge({ fields: { it } }, oneField("boolean"))).toEqual(none);
    expect(judge({ fields: {} }, oneField("boolean"))).toEqual(none);
    expect(judge(given("  \n"), oneField("string"))).toEqual(none);
  });

  it("in another form is a fault at its place", () => {
    const places = (answer: unknown) => judge(answer).faults.map(({ place }) => place);
    for (const answer of [undefined, null, true, 3, "yes", [], [{ fields: {} }]])
      expect(judge(answer)).toMatchObject({ faults: [{ place: "" }], summary: null, success: null });
    expect(places({})).toEqual(["summary", "fields"]);
    expect(places({ summary: "s", fields: [] })).toEqual(["fields"]);
    expect(judge({ summary: "s", fields: [] }).unsupported).toHaveLength(OUTCOME.fields.length);
    for (const confirmed of [true, "yes", [], [true], {}, { value: true }, { value: true, messages: 1 }])
      expect([confirmed, places({ summary: "s", fields: { confirmed } })]).toEqual([
        confirmed,
        ["fields.confirmed"],
      ]);
    for (const summary of [undefined, null, "", " ", 3, ["s"], "x".repeat(2_001)])
      expect([summary, places({ summary, fields: {} })]).toEqual([summary, ["summary"]]);
  });

  it("is not asked for what nobody wants", () => {
    expect(
      judge({ summary: "s", fields: { confirmed: { value: true, messages: [1] } } }, oneField("boolean")),
    ).toEqual({
      fields: { it: null },
      evidence: {},
      unsupported: [],
      summary: null,
      success: null,
      faults: [],
    });
    const onlySummary = { summary: true, fields: [], success: null };
    expect(judge({ summary: "s" }, onlySummary)).toMatchObject({ fields: {}, summary: "s", faults: [] });
  });
});

describe("a value", () => {
  it("has exactly the JSON type that was asked for", () => {
    const samples = [true, "true", 1, 1.5, "1", "glad", "2026-09-03", "2026-09-03T10:00:00Z", [1], { a: 1 }];
    const fits = (type: OutcomeType) => samples.filter((each) => taken(type, each, ["glad", "1"]) !== null);
    expect(fits("boolean")).toEqual([true]);
    expect(fits("string")).toEqual(samples.filter((each) => typeof each === "string"));
    expect(fits("number")).toEqual([1, 1.5]);
    expect(fits("integer")).toEqual([1]);
    expect(fits("enum")).toEqual(["1", "glad"]);
    expect(fits("date")).toEqual(["2026-09-03"]);
    expect(fits("datetime")).toEqual(["2026-09-03T10:00:00Z"]);
  });

  it("is a whole number when it is one, however it is written", () => {
    expect(
      judge(parsed('{"fields":{"it":{"value":12.0,"messages":[1.0]}}}'), oneField("integer")),
    ).toMatchObject({
      fields: { it: 12 },
      evidence: { it: [1] },
    });
    expect(taken("integer", 1e21)).toBeNull();
    expect(Object.is(taken("integer", -0), 0)).toBe(true);
    expect(Object.is(taken("number", -0), 0)).toBe(true);
  });

  it("is no number beyond those of JSON", () => {
    for (const text of ["1e999", "-1e999"])
      expect(
        judge(parsed(`{"fields":{"it":{"value":${text},"messages":[1]}}}`), oneField("number")),
      ).toMatchObject({
        fields: { it: null },
        unsupported: ["it"],
      });
    for (const value of ["NaN", "Infinity", Number.NaN, Number.POSITIVE_INFINITY])
      expect(taken("number", value)).toBeNull();
  });

  it("is one of an enum letter by letter", () => {
    for (const value of ["Glad", "glad ", "", "toString", "gla\u0064\u0000"])
      expect(taken("enum", value, ["glad", "angry"])).toBeNull();
  });

  it("is a day of the calendar", () => {
    for (const day of ["2028-02-29", "2026-12-31", "1999-01-01"]) expect(taken("date", day)).toBe(day);
    for (const day of [
      "2026-02-29",
      "2026-02-30",
      "2026-04-31",
      "2026-13-01",
      "2026-00-10",
      "2026-9-3",
      "26-09-03",
      "2026-09-03Z",
      "Thursday",
    ])
      expect([day, taken("date", day)]).toEqual([day, null]);
  });

  it("is a moment with its offset, and is kept in UTC", () => {
    expect(taken("datetime", "2026-09-03T10:00+03:00")).toBe("2026-09-03T07:00:00.000Z");
    expect(taken("datetime", "2026-09-03T23:30:00.5-04:00")).toBe("2026-09-04T03:30:00.500Z");
    for (const moment of [
      "2026-09-03T10:00:00",
      "2026-09-03",
      "2026-02-30T10:00:00Z",
      "2026-09-03T25:00:00Z",
      "2026-09-03T10:00:00+99:00",
      "0000-01-01T00:00:00+14:00",
      "2026-09-03 10:00:00Z",
      `2026-09-03T10:00:00Z${" ".repeat(50)}`,
    ])
      expect([moment, taken("datetime", moment)]).toEqual([moment, null]);
  });

  it("is a text of at most 1,000 bytes, which can be stored", () => {
    expect(taken("string", "x".repeat(1_000))).toBe("x".repeat(1_000));
    expect(taken("string", "x".repeat(1_001))).toBeNull();
    expect(taken("string", "😀".repeat(250))).toBe("😀".repeat(250));
    expect(taken("string", "😀".repeat(251))).toBeNull();
    expect(taken("string", "a\u0000b\ud800c")).toBe("a\ufffdb\ufffdc");
    // What is stored is what is measured.
    expect(taken("string", "\u0000".repeat(333))).toBe("\ufffd".repeat(333));
    expect(taken("string", "\u0000".repeat(334))).toBeNull();
  });

  it("is of a summary at most 2,000 bytes, which can be stored", () => {
    const summary = (text: string) => judge({ summary: text, fields: {} }).summary;
    expect(summary("x".repeat(2_000))).toBe("x".repeat(2_000));
    expect(summary("ş".repeat(1_001))).toBeNull();
    expect(summary("a\udc00\u0000")).toBe("a\ufffd\ufffd");
  });
});

describe("success", () => {
  const mood: OutcomeSettings = { ...OUTCOME, success: { field: "mood", in: ["glad"] } };
  const of = (outcome: OutcomeSettings, fields: object) => judge({ summary: "s", fields }, outcome).success;

  it("follows from the value that counts, and from nothing else", () => {
    expect(of(OUTCOME, { confirmed: { value: true, messages: [1] } })).toBe(true);
    expect(of(OUTCOME, { confirmed: { value: false, messages: [1] } })).toBe(false);
    expect(of(OUTCOME, { confirmed: { value: true, messages: [0] } })).toBeNull();
    expect(of(OUTCOME, {})).toBeNull();
    expect(of(mood, { mood: { value: "glad", messages: [3] } })).toBe(true);
    expect(of(mood, { mood: { value: "angry", messages: [3] } })).toBe(false);
    expect(of({ ...OUTCOME, success: null }, { confirmed: { value: true, messages: [1] } })).toBeNull();
    expect(judge({ summary: "s", fields: {}, success: true }).success).toBeNull();
  });
});

describe("a repaired answer", () => {
  const repaired = (first: unknown, second: unknown) => judgeRepaired(OUTCOME, TRANSCRIPT, [first, second]);
  const first = {
    summary: "First.",
    fields: { confirmed: { value: true, messages: [1] }, persons: { value: "two", messages: [1] } },
  };

  it("changes what did not fit, and nothing else", () => {
    const second = {
      summary: "Second.",
      fields: { confirmed: { value: false, messages: [3] }, persons: { value: 2, messages: [1] } },
    };
    expect(repaired(first, second)).toMatchObject({
      fields: { confirmed: true, persons: 2 },
      summary: "First.",
      success: true,
      unsupported: [],
      faults: [],
    });
  });

  it("leaves what still does not fit unsupported, and the others count", () => {
    expect(repaired(first, first)).toMatchObject({
      fields: { confirmed: true, persons: null },
      unsupported: ["persons"],
      faults: [{ place: "fields.persons" }],
    });
    expect(repaired(first, "nothing")).toMatchObject({
      fields: { confirmed: true, persons: null },
      unsupported: ["persons"],
      faults: [{ place: "fields.persons" }],
    });
  });

  it("is the second one where nothing of the first could be read, and none where nothing of both could", () => {
    const fields = { confirmed: { value: true, messages: [1] } };
    expect(repaired("no", { summary: "s", fields })).toMatchObject({
      fields: { confirmed: true },
      faults: [],
    });
    expect(repaired({ summary: "s" }, { fields })).toMatchObject({
      fields: { confirmed: true },
      summary: "s",
      faults: [],
    });
    expect(repaired("no", [])).toMatchObject({ faults: [{ place: "" }] });
  });
});

describe("a hostile answer", () => {
  it("does nothing by names that objects have", () => {
    const text =
      '{"__proto__":{"fields":{"confirmed":{"value":true,"messages":[1]}}},"constructor":1,"summary":"s","fields":{"__proto__":{"confirmed":{"value":true,"messages":[1]}},"toString":{"value":true,"messages":[1]},"confirmed":{"__proto__":{"value":true,"messages":[1]}}}}';
    const { fields, unsupported, success } = judge(parsed(text));
    expect(Object.values(fields).every((value) => value === null)).toBe(true);
    expect([unsupported, success]).toEqual([["confirmed"], null]);
    expect(Object.hasOwn(Object.prototype, "confirmed")).toBe(false);
  });

  it("has said nothing by what it only inherits", () => {
    const inherited: unknown = Object.create({ summary: "s", fields: {} });
    expect(judge(inherited)).toMatchObject({
      summary: null,
      faults: [{ place: "summary" }, { place: "fields" }],
    });
  });

  it("is not taken for the JSON that a caller dictated", () => {
    for (const answer of [{ confirmed: true }, { fields: { confirmed: true } }, '{"confirmed": true}'])
      expect(judge(answer)).toMatchObject({ fields: { confirmed: null }, success: null });
  });

  it("costs no more for its depth or its size", () => {
    const deep = parsed(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
    const list = parsed(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    for (const answer of [
      deep,
      list,
      { summary: deep, fields: { confirmed: deep, persons: { value: list, messages: list } } },
    ])
      expect(judge(answer).success).toBeNull();
    const huge = Array.from({ length: 1_000_000 }, (_, index) => index + 100);
    expect(judge(given(true, [...huge, 1]), oneField("boolean")).evidence).toEqual({ it: [1] });
    expect(judge(given("x".repeat(10_000_000)), oneField("string")).unsupported).toEqual(["it"]);
  });
});

describe("whatever a model answers", PROPERTY_TIMEOUT, () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom(
      true,
      false,
      2,
      12.5,
      "glad",
      "2026-09-03",
      "2026-09-03T10:00:00+03:00",
      Number.POSITIVE_INFINITY,
    ),
  );
  const messages = fc.oneof(fc.array(fc.integer({ min: -2, max: 9 }), { maxLength: 30 }), anything);
  const entry = fc.oneof({ weight: 4, arbitrary: fc.record({ value: anything, messages }) }, anything);
  const names = fc.constantFrom(...OUTCOME.fields.map(({ name }) => name), "__proto__", "other");
  const answers = fc.oneof(
    { weight: 5, arbitrary: fc.record({ summary: anything, fields: fc.dictionary(names, entry) }) },
    anything,
  );
  const typeOf: Readonly<Record<OutcomeType, string>> = {
    boolean: "boolean",
    string: "string",
    number: "number",
    integer: "number",
    enum: "string",
    date: "string",
    datetime: "string",
  };

  function expectSound({ fields, evidence, unsupported, summary, success, faults }: JudgedAnswer) {
    expect(Object.keys(fields)).toEqual(OUTCOME.fields.map(({ name }) => name));
    for (const { name, type } of OUTCOME.fields) {
      const value = fields[name] ?? null;
      expect(Object.hasOwn(evidence, name)).toBe(value !== null);
      if (value === null) continue;
      expect(typeof value).toBe(typeOf[type]);
      expect(unsupported).not.toContain(name);
      const proof = evidence[name] ?? [];
      expect(proof.length).toBeGreaterThan(0);
      expect(proof).toEqual([...new Set(proof)].filter((index) => PROVING.includes(index)).toSorted());
    }
    expect(Object.keys(evidence).length + unsupported.length).toBeLessThanOrEqual(OUTCOME.fields.length);
    expect(success).toBe(fields["confirmed"] ?? null);
    expect(utf8Length(summary ?? "")).toBeLessThanOrEqual(2_000);
    const text = JSON.stringify({ fields, summary, faults });
    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
    expect(JSON.parse(text)).toEqual({ fields, summary, faults });
  }

  it("what counts is proven, has its type and can be stored", () => {
    const property = fc.property(answers, (answer) => expectSound(judge(answer)));
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("so it is of a repair, which keeps what counted", () => {
    const property = fc.property(answers, answers, (first, second) => {
      const before = judge(first);
      const after = judgeRepaired(OUTCOME, TRANSCRIPT, [first, second]);
      expectSound(after);
      for (const [name, value] of Object.entries(before.fields)) {
        if (value !== null) expect(after.fields[name]).toBe(value);
      }
      expect(after.faults.length).toBeLessThanOrEqual(
        Math.max(before.faults.length, 2 + OUTCOME.fields.length),
      );
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("comes to values of each type: the properties above say something", () => {
    const seen = new Set<string>();
    const property = fc.property(answers, (answer) => {
      for (const name of Object.keys(judge(answer).evidence)) seen.add(name);
    });
    fc.assert(property, { numRuns: Math.max(PROPERTY_RUNS, 2_000), seed: 7 });
    expect([...seen].toSorted()).toEqual(OUTCOME.fields.map(({ name }) => name).toSorted());
  });
});
