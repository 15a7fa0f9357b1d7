import { describe, expect, it } from "vitest";
import {
  argumentsIn,
  argumentsInJson,
  type Fill,
  filled,
  filledJson,
  onlyVariable,
  textOf,
} from "../../../domain/tool/placeholders.ts";

/** The model says Friday; the engine knows the number. */
const KNOWN: Readonly<Record<"argument" | "variable", Readonly<Record<string, string>>>> = {
  argument: { day: "Friday", own: '"},{' },
  variable: { caller_number: "+14155550101", "vars.a_1": "7" },
};
const fill: Fill = (name, kind) => KNOWN[kind][name];

describe("a text with placeholders", () => {
  it("has what the model says for {argument}, and what the engine knows for {{variable}}", () => {
    expect(filled("{day}, {{caller_number}}, {{ vars.a_1 }}", fill)).toBe("Friday, +14155550101, 7");
  });

  it("never has a variable for an argument of the same name, nor the other way round", () => {
    expect(filled("[{caller_number}][{{day}}]", fill)).toBe("[][]");
  });

  it("fills nothing twice, and leaves braces that are no placeholder", () => {
    expect(filled("{a} { day } {}", () => "{day}")).toBe("{day} { day } {}");
  });

  it("names its arguments each once, in their order", () => {
    expect(argumentsIn("{b} {a} {{c}} {b}")).toEqual(["b", "a"]);
  });
});

describe("JSON with placeholders", () => {
  it("has every string of it filled, at any depth, and everything else as it was", () => {
    const body = {
      "{day}": "{day}",
      list: ["{{caller_number}}", 7, null, true],
      deep: { a: { b: "on {day}" } },
    };
    expect(filledJson(body, fill)).toEqual({
      "{day}": "Friday",
      list: ["+14155550101", 7, null, true],
      deep: { a: { b: "on Friday" } },
    });
  });

  it("lets no value leave its string", () => {
    expect(JSON.stringify(filledJson({ a: "{own}" }, fill))).toBe('{"a":"\\"},{"}');
  });

  it("names the arguments of its strings, not of its keys", () => {
    expect(argumentsInJson({ "{no}": ["{a}", { x: "{b} {a}" }], n: 1, none: null, yes: true })).toEqual([
      "a",
      "b",
    ]);
  });
});

describe("a text that is one variable", () => {
  it.each([
    ["{{caller_number}}", "caller_number"],
    ["{{ vars.a_1  }}", "vars.a_1"],
    ["{day}", null],
    ["+{{caller_number}}", null],
    ["{{caller_number}} x", null],
    ["{{caller-number}}", null],
    ["", null],
  ])("%j: %j", (text, name) => {
    expect(onlyVariable(text)).toBe(name);
  });
});

describe("a value in a text", () => {
  it.each([
    ["Friday", "Friday"],
    ["", ""],
    [7, "7"],
    [false, "false"],
    [{ a: ["b"] }, '{"a":["b"]}'],
    [null, undefined],
    [undefined, undefined],
  ])("%j is %j: no text of null, JSON of what is no text", (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});
