import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import { throwingDeps } from "./support/inert-deps.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("/", () => {
  let api: Api;
  beforeAll(async () => {
    api = buildServer(throwingDeps(() => new Error("no work in this test")));
    await api.ready();
  });
  afterAll(() => api.close());

  it("leads a browser to the pages of the API", async () => {
    const answer = await api.inject({ url: "/", headers: { accept: BROWSER } });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, "/docs"]);
    expect((await api.inject({ url: "/docs" })).statusCode).toBe(200);
  });

  it.each(["*/*", "application/json", undefined])(
    "tells a program that accepts %s what is here",
    async (accept) => {
      const answer = await api.inject({ url: "/", headers: accept === undefined ? {} : { accept } });
      expect(answer.headers).toMatchObject({ "content-type": expect.stringContaining("application/json") });
      expect(answer.json()).toEqual({
        success: true,
        data: {
          name: "Ringfold",
          version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
          docs: "/docs",
          openapi: "/openapi.json",
          health: "/health/ready",
        },
      });
    },
  );

  it.each([BROWSER, "*/*"])("answers HEAD as GET without its body, for %s", async (accept) => {
    const get = await api.inject({ url: "/", headers: { accept } });
    const head = await api.inject({ method: "HEAD", url: "/", headers: { accept } });
    expect([head.statusCode, head.headers.location, head.body]).toEqual([
      get.statusCode,
      get.headers.location,
      "",
    ]);
  });
});
