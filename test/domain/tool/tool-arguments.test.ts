import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import { argumentNames, argumentsSchema, checkArguments } from "../../../domain/tool/tool-arguments.ts";

const api = (config: JsonObject) => ({
  type: "API_REQUEST" as const,
  config: { url: "https://shop.example.com/orders", method: "POST", ...config },
});
const query = (config: JsonObject) => ({ type: "DATABASE_QUERY" as const, config });
const ORDER = api({ url: "https://shop.example.com/orders/{orderId}", body: { note: "{note}" } });

describe("what the model fills", () => {
  it("is every placeholder of address, query and body, each once", () => {
    const tool = api({
      url: "https://shop.example.com/{a}/{b}?c={c}",
      query: { q: "{a}-{d}", phone: "{{caller_number}}" },
      headers: { X: "{h} {{secrets.KEY}}" },
      body: { "{key}": ["{e}", { deep: "x {a}" }], n: 1, none: null },
    });
    expect(argumentNames(tool)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("is of a query what its parameters leave open, and never what every call has", () => {
    const tool = query({
      query: "select :id, :phone, :name, :caller_number, ':no' from t where f = :id",
      parameters: { id: "{orderId}", phone: "{{caller_number}}" },
    });
    expect(argumentNames(tool)).toEqual(["orderId", "name"]);
  });

  it("is nothing of the tools that end or transfer", () => {
    expect(argumentNames({ type: "END_CALL", config: {} })).toEqual([]);
    expect(argumentNames({ type: "TRANSFER_CALL", config: { to: "+15005550006" } })).toEqual([]);
  });

  it("is nothing of a config that cannot be read, and of a text that is no query only what its parameters name", () => {
    expect(argumentNames(api({ url: 7, body: "{a}" }))).toEqual([]);
    expect(argumentNames(query({ parameters: { a: "{a}" } }))).toEqual([]);
    expect(argumentNames(query({ query: "select :a, '", parameters: { b: "{b}" } }))).toEqual(["b"]);
  });

  it("is nothing of a tool that asks nobody, whatever its config holds", () => {
    expect(argumentNames({ type: "END_CALL", config: { query: "select :a" } })).toEqual([]);
  });

  it("is of a request without a body what its address and query name", () => {
    expect(argumentNames(api({ url: "https://shop.example.com/{a}", query: { q: "{b}" } }))).toEqual([
      "a",
      "b",
    ]);
  });

  it("is told as a schema of required strings", () => {
    expect(argumentsSchema(ORDER)).toEqual({
      type: "object",
      properties: { orderId: { type: "string" }, note: { type: "string" } },
      required: ["orderId", "note"],
      additionalProperties: false,
    });
  });
});

describe("arguments", () => {
  it("are taken when they are exactly these strings", () => {
    const value = { orderId: "A/7 ü", note: "" };
    expect(checkArguments(ORDER, value)).toEqual({ ok: true, value });
  });

  it.each<[JsonValue, string | null]>([
    [{ orderId: "7" }, "note"],
    [{ orderId: 7, note: "" }, "orderId"],
    [{ orderId: "", note: "" }, "orderId"],
    [{ orderId: ".", note: "" }, "orderId"],
    [{ orderId: "..", note: "" }, "orderId"],
    [{ orderId: "\ud800", note: "" }, "orderId"],
    [{ orderId: "7", note: "\u0000" }, "note"],
    [{ orderId: "7", note: "x".repeat(8_193) }, "note"],
    [{ orderId: "7", note: "", more: "x" }, "more"],
    [["7", ""], null],
    [null, null],
  ])("%j are refused at %j, in a sentence", (given, name) => {
    const checked = checkArguments(ORDER, given);
    expect(checked).toMatchObject({ ok: false, name });
    expect(checked.ok ? "" : checked.reason).toMatch(/^(The|There)/);
  });

  it("may not come from a prototype", () => {
    const tool = api({ url: "https://shop.example.com/{toString}" });
    expect(checkArguments(tool, {})).toMatchObject({ ok: false, name: "toString" });
  });

  it("of a tool that cannot be read are none", () => {
    expect(checkArguments(api({ url: null }), {})).toEqual({ ok: true, value: {} });
  });

  it("may be 8 KiB long, counted in bytes", () => {
    const given = (note: string) => checkArguments(ORDER, { orderId: "7", note });
    expect(given("x".repeat(8_192))).toMatchObject({ ok: true });
    expect(given("é".repeat(4_096))).toMatchObject({ ok: true });
    expect(given("é".repeat(4_097))).toMatchObject({ ok: false, name: "note" });
  });

  it.each<[JsonValue, string]>([
    [{ orderId: "7" }, 'The argument "note" is missing'],
    [{ orderId: 7, note: "" }, 'The argument "orderId" must be a string'],
    [{ orderId: "..", note: "" }, 'The argument "orderId" must not be empty, `.` or `..`'],
    [{ orderId: "7", note: "\u0000" }, 'The argument "note" holds characters that are none'],
    [{ orderId: "7", note: "x".repeat(8_193) }, 'The argument "note" is longer than 8 KiB'],
    [{ orderId: "7", note: "", more: "" }, 'There is no argument "more"; there are: orderId, note'],
    [
      { orderId: "7", note: "", ["m".repeat(65)]: "" },
      `There is no argument "${"m".repeat(64)}"; there are: orderId, note`,
    ],
    ["7", "The arguments must be a JSON object"],
    [7, "The arguments must be a JSON object"],
  ])("that are refused tell the model why (%#)", (given, problem) => {
    expect(checkArguments(ORDER, given)).toMatchObject({ ok: false, reason: problem });
  });
});
