import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandUrl, hasFixedOrigin } from "../../../domain/tool/request-url.ts";

const expanded = (template: string, values: Readonly<Record<string, string>>) => {
  const result = expandUrl(template, (name) => values[name]);
  return result.ok ? result.url.href : result.name;
};

describe("an address with values", () => {
  it("holds each of them percent-encoded", () => {
    expect(expanded("https://a.example/o/{id}?q={q}", { id: "a/b?c#d", q: "x&y=1" })).toBe(
      "https://a.example/o/a%2Fb%3Fc%23d?q=x%26y%3D1",
    );
    expect(expanded("https://a.example/{id}", { id: "%2e%2e/\\@evil.example" })).toBe(
      "https://a.example/%252e%252e%2F%5C%40evil.example",
    );
  });

  it.each(["", ".", "..", "\ud800"])("refuses %j, and names the argument", (id) => {
    expect(expanded("https://a.example/{id}/x", { id })).toBe("id");
  });

  it.each([
    ["https://a.example/x/.{a}/y", { a: "." }, "a"],
    ["https://{host}/x", { host: "evil.example" }, null],
    ["https://a.example:{port}/x", { port: "81" }, null],
    ["https://a.example{rest}", { rest: ".evil.example" }, null],
  ])("never leads elsewhere: %s with %j", (template, values, name) => {
    expect(expanded(template, values)).toBe(name);
  });

  it("keeps origin and number of segments whatever the values are", () => {
    const template = "https://a.example/v1/{a}{b}/.{a}/{b}?q={a}";
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const result = expandUrl(template, (name) => ({ a, b })[name]);
        if (!result.ok) return;
        expect(result.url.origin).toBe("https://a.example");
        expect(result.url.pathname.split("/")).toHaveLength(5);
        expect(result.url.pathname.startsWith("/v1/")).toBe(true);
      }),
    );
  });

  it.each([
    ["https://a.example/{x}", true],
    ["https://a.example?x={x}", true],
    ["https://{x}.example/", false],
    ["https://a.example:8{x}/", false],
    ["{x}://a.example/", false],
    ["https://user:{x}@a.example/", false],
  ])("%s has the same origin whatever is filled in: %s", (template, fixed) => {
    expect(hasFixedOrigin(template)).toBe(fixed);
  });

  it.each([
    ["https://a.example/{id}", {}, "id", "must not be empty, `.` or `..`"],
    ["https://a.example/{id}", { id: ".." }, "id", "must not be empty, `.` or `..`"],
    ["https://a.example:{port}/x", { port: "81" }, null, "is no address"],
    ["https://a.example{rest}/x", { rest: " " }, null, "is no address"],
    ["https://{host}/x", { host: "evil.example" }, null, "would lead elsewhere"],
    // Half of an escape in the template, half in the value: together a dot, and the segment is gone.
    ["https://a.example/x/%2{a}/y", { a: "e" }, null, "would lead elsewhere"],
  ])(
    "that is refused says why: %s with %j",
    (template, values: Readonly<Record<string, string>>, name, problem) => {
      expect(expandUrl(template, (each) => values[each])).toEqual({ ok: false, name, reason: problem });
    },
  );
});
