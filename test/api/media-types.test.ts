import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import { throwingDeps } from "./support/inert-deps.ts";

describe("the type of a body", () => {
  let api: Api;
  beforeAll(() => {
    api = buildServer(throwingDeps(() => new Error("no work in this test")));
  });
  afterAll(() => api.close());

  const post = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { statusCode, body } = await api.inject({
      method: "POST",
      url: `/api/v1/${path}`,
      headers: { authorization: "Bearer k", ...headers },
      payload: "{}",
    });
    return [statusCode, JSON.parse(body).error.message];
  };

  it("is JSON, under whichever name and with whichever parameters", async () => {
    for (const type of [
      "application/json",
      "APPLICATION/JSON; charset=utf-8",
      "application/merge-patch+json",
    ])
      expect(await post("phone-numbers", { "content-type": type })).toEqual([400, expect.any(String)]);
    const refused = [415, "Send the body as application/json"];
    for (const type of ["text/plain", "application/jsonx", "application/json, text/plain", "text/csv"])
      expect(await post("phone-numbers", { "content-type": type })).toEqual(refused);
  });

  it("is a file where a file is taken", async () => {
    const refused = [415, "Send the body as text/csv or multipart/form-data"];
    for (const type of ["application/json", "text/plain"])
      expect(await post("campaigns/import?settings={}", { "content-type": type })).toEqual(refused);
  });

  it("is not compressed", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect(await post("phone-numbers", headers)).toEqual([
      415,
      "Send the body as it is, without Content-Encoding",
    ]);
  });
});
