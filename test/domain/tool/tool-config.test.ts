import { describe, expect, it } from "vitest";
import { apiRequestConfig, databaseQueryConfig, takesBody } from "../../../domain/tool/tool-config.ts";

const url = "https://shop.example.com/{id}";

describe("the config of a request", () => {
  it("is read as it was written", () => {
    const config = {
      url,
      method: "PUT",
      headers: { "X-Key": "{{secrets.KEY}}" },
      query: { q: "{q}" },
      body: { note: ["{note}"] },
    };
    expect(apiRequestConfig(config)).toEqual(config);
  });

  it("has no headers, query and body where none are written; a value that is no text is left out", () => {
    expect(apiRequestConfig({ url, method: "GET" })).toEqual({ url, method: "GET", headers: {}, query: {} });
    const config = { url, method: "GET", headers: null, query: { page: 7, q: "x" } };
    expect(apiRequestConfig(config)).toEqual({ url, method: "GET", headers: {}, query: { q: "x" } });
  });

  it.each(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])("may ask by %s", (method) => {
    expect(apiRequestConfig({ url, method })?.method).toBe(method);
  });

  it.each([
    { url },
    { url, method: "TRACE" },
    { url, method: "" },
    { url, method: 7 },
    { url: null, method: "GET" },
    { method: "GET" },
  ])("cannot be read: %j", (config) => {
    expect(apiRequestConfig(config)).toBeNull();
  });
});

describe("the config of a query", () => {
  it("is read as it was written", () => {
    const config = { connectionId: "conn_1", query: "select :a", parameters: { a: "{a}" } };
    expect(databaseQueryConfig(config)).toEqual(config);
  });

  it("names no connection when it was made before tools named one", () => {
    const read = { connectionId: null, query: "select 1", parameters: {} };
    expect(databaseQueryConfig({ query: "select 1" })).toEqual(read);
    expect(databaseQueryConfig({ connectionId: 7, query: "select 1", parameters: null })).toEqual(read);
  });

  it.each([{}, { query: 7 }, { query: null, connectionId: "conn_1" }])("cannot be read: %j", (config) => {
    expect(databaseQueryConfig(config)).toBeNull();
  });
});

it("a request has a body only when its method is POST, PUT or PATCH", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
  expect(methods.filter(takesBody)).toEqual(["POST", "PUT", "PATCH"]);
});
