import { describe, expect, it } from "vitest";
import { readArguments } from "../../../domain/conversation/reading-arguments.ts";

const schema = (...rows: readonly (readonly [string, string])[]) => ({
  type: "object",
  properties: Object.fromEntries(rows.map(([name, type]) => [name, { type }])),
});
const ORDER = schema(["orderId", "string"]);
const MANY = schema(["name", "string"], ["count", "number"], ["sure", "boolean"]);

describe("arguments that a model wrote", () => {
  it.each([
    ["nothing", "", {}],
    ["blanks", " \n", {}],
    ["null", "null", {}],
    ["an empty object", "{}", {}],
    [
      "as the schema wants them",
      '{"name":"Ali","count":2,"sure":true}',
      { name: "Ali", count: 2, sure: true },
    ],
    [
      "texts for the others",
      '{"name":"Ali","count":"2.50","sure":"True"}',
      { name: "Ali", count: 2.5, sure: true },
    ],
    ["a number for a text, as it was written", '{"name":12.50}', { name: "12.50" }],
    ["a number with many digits", '{"name":17841400000000001}', { name: "17841400000000001" }],
    ["true for a text", '{"name":true}', { name: "true" }],
    ["a text that is no number", '{"count":"two"}', { count: "two" }],
    ["null in an argument", '{"name":null}', { name: null }],
    ["an argument that the schema has not", '{"other":1}', { other: 1 }],
    ["JSON in JSON", JSON.stringify('{"name":"Ali"}'), { name: "Ali" }],
  ])("%s", (_what, text, read) => {
    expect(readArguments(text, MANY)).toEqual(read);
  });

  it.each([
    ["4711", { orderId: "4711" }],
    ['"4711"', { orderId: "4711" }],
    ["true", { orderId: "true" }],
  ])("the only one needs no name: %s", (text, read) => {
    expect(readArguments(text, ORDER)).toEqual(read);
    expect(readArguments(text, MANY)).toBeNull();
    expect(readArguments(text, {})).toBeNull();
  });

  it.each(["{x: nonsense", "[1]", '["4711"]', "4711x", JSON.stringify("[1]")])("%s is no object", (text) => {
    expect(readArguments(text, MANY)).toBeNull();
  });
});
