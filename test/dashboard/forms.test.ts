import { describe, expect, it } from "vitest";
import { itemsOf } from "../../dashboard/src/pages/do-not-call/items.ts";
import {
  BadField,
  configOf,
  linesOf,
  missingSecrets,
  objectOf,
} from "../../dashboard/src/pages/tools/config.ts";

function fields(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

describe("numbers pasted onto the list of those not to call", () => {
  it("takes a number a line with a reason of its own, and knows the lines", () => {
    const pasted = "+90 (532) 111-22-33\r\n\n+905321112244, moved, far away\r\n+905321112255;\tangry";
    expect(itemsOf(pasted, "Asked us to stop")).toEqual([
      { phoneNumber: "+90 (532) 111-22-33", reason: "Asked us to stop", line: 1 },
      { phoneNumber: "+905321112244", reason: "moved, far away", line: 3 },
      { phoneNumber: "+905321112255", reason: "angry", line: 4 },
    ]);
  });
});

describe("the config of a tool from its form", () => {
  const request = { "config.url": " https://shop.example.com/{id} ", "config.method": "POST" };

  it("leaves out what was not filled in, and comes back as the lines that it was", () => {
    const headers = "Authorization: Bearer {{secrets.A}}\nX-Time: 10:30";
    const made = configOf(
      "API_REQUEST",
      fields({ ...request, "config.headers": headers, "config.query": "" }),
    );
    const given = { Authorization: "Bearer {{secrets.A}}", "X-Time": "10:30" };
    const config = { url: "https://shop.example.com/{id}", method: "POST", headers: given };
    expect(made).toEqual({ type: "API_REQUEST", config });
    expect(linesOf(given)).toBe(headers);
  });

  it("names the field and the line of what it cannot read", () => {
    const bad = (values: Readonly<Record<string, string>>) => {
      try {
        return configOf("API_REQUEST", fields({ ...request, ...values }));
      } catch (error) {
        return error instanceof BadField ? [error.field, error.kind, error.line] : error;
      }
    };
    expect(bad({ "config.headers": "A: b\n\nno colon" })).toEqual(["config.headers", "bad.line", 3]);
    expect(bad({ "config.body": "{" })).toEqual(["config.body", "bad.json", 0]);
    expect(() => objectOf(fields({ arguments: "[1]" }), "arguments")).toThrow("bad.object");
    expect(objectOf(fields({ arguments: '{"a":1}' }), "arguments")).toEqual({ a: 1 });
  });

  it("names each missing secret once", () => {
    const config = {
      headers: { A: "{{secrets.ONE}} {{ secrets.TWO }}", B: "{{secrets.ONE}}", C: "{{secrets.KEPT}}" },
    };
    expect(missingSecrets({ config }, new Set(["KEPT"]))).toEqual(["ONE", "TWO"]);
  });
});
