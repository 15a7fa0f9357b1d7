import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import type { DashboardFile } from "../../application/ports/dashboard-files.ts";
import { throwingDeps } from "../api/support/inert-deps.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const fileOf = (text: string, contentType: string): DashboardFile => ({
  identity: Buffer.from(text),
  brotli: Buffer.from(`br:${text}`),
  contentType,
  etag: `"${text}"`,
});

describe("the dashboard's pages", () => {
  let api: Api;
  let page: DashboardFile | null;
  let problem: string | null;
  beforeEach(() => {
    page = fileOf("page", "text/html; charset=utf-8");
    problem = null;
    const script = fileOf("script", "text/javascript; charset=utf-8");
    const files = {
      page: () => page,
      asset: (name: string) => (name === "a.js" ? script : null),
      problem: () => problem,
    };
    api = buildServer(
      throwingDeps(() => new Error("no work in this test"), { dashboard: { files, overHttps: true } }),
    );
  });
  afterEach(() => api.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    api.inject({ url, headers: { accept: BROWSER, ...headers } });

  it.each(["/", "/campaigns", "/campaigns/cmp_1?at=2026-09-01T10:00:00.000Z", "/numbers/+15005550006"])(
    "%s is the page, under a policy that takes nothing from elsewhere",
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, body, headers["cache-control"]]).toEqual([200, "page", "no-cache"]);
      expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "strict-transport-security": "max-age=15552000",
      });
    },
  );

  it("is sent compressed to whoever takes it, and not again to whoever has it", async () => {
    const compressed = await get("/", { "accept-encoding": "gzip, br" });
    expect([compressed.body, compressed.headers["content-encoding"]]).toEqual(["br:page", "br"]);
    expect((await get("/", { "if-none-match": '"page"' })).statusCode).toBe(304);
  });

  it("assets stay for ever, and an unknown one is no page", async () => {
    const script = await get("/assets/a.js");
    expect([script.statusCode, script.body]).toEqual([200, "script"]);
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const unknown = await get("/assets/b.js");
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, "NOT_FOUND"]);
  });

  it.each([
    ["a program", "/campaigns", "application/json"],
    ["a program without wishes", "/campaigns", "*/*"],
    ["the API", "/api/v1/nothing", BROWSER],
  ])("does not answer %s", async (_, url, accept) => {
    const answer = await get(url, { accept, authorization: "Bearer key" });
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, "NOT_FOUND"]);
  });

  it("answers only what asks to read", async () => {
    const answer = await api.inject({ method: "POST", url: "/campaigns", headers: { accept: BROWSER } });
    expect(answer.statusCode).toBe(404);
  });

  it("says that it is being built, or why it could not be", async () => {
    page = null;
    const building = await get("/");
    expect([building.statusCode, building.headers["retry-after"]]).toEqual([503, "2"]);
    expect(building.body).toContain("is being built");
    problem = "<vite> is not installed";
    expect((await get("/")).body).toContain("could not be built: &lt;vite> is not installed");
  });
});
