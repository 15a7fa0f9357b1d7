import { describe, expect, it } from "vitest";
import {
  argumentNames,
  argumentsSchema,
  checkArguments,
} from "../../../../application/conversation/tools/tool-arguments.ts";
import type { JsonObject, JsonValue } from "../../../../domain/shared/json.ts";

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
    expect(checked.ok ? "" : checked.problem).toMatch(/^(The|There)/);
  });

  it("may not come from a prototype", () => {
    const tool = api({ url: "https://shop.example.com/{toString}" });
    expect(checkArguments(tool, {})).toMatchObject({ ok: false, name: "toString" });
  });
});
