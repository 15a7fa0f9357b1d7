import { expect, it } from "vitest";
import { keptHeaders } from "../../../../infrastructure/webhook/delivery/attempt.ts";

it.each(["location", "server", "x-request-id", "content-type", "retry-after", "date"])(
  "keeps no query string of %s",
  (name) => {
    const kept = keptHeaders({ [name]: "https://a.example/in?token=hush-hush&to=%2B12025550100#also" });
    expect(kept).toEqual({ [name]: "https://a.example/in" });
  },
);

it("keeps no header that nobody asked for", () => {
  expect(keptHeaders({ "set-cookie": ["session=hush"], "x-api-key": "hush", authorization: "hush" })).toEqual(
    {},
  );
});

it("keeps 256 characters of each", () => {
  expect(keptHeaders({ server: "x".repeat(9_000) })["server"]).toHaveLength(256);
});

it.each([
  "https://a.example/in#access_token=hush-hush",
  "https://me:hush-hush@a.example/in?x=1",
  "https://hush-hush@a.example/in",
])("keeps neither the fragment nor the credentials of an address: %s", (location) => {
  expect(keptHeaders({ location })).toEqual({ location: "https://a.example/in" });
});
