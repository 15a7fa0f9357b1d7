import { afterEach, beforeEach, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import type { CarrierRequest, RequestEntrance } from "../../application/ports/entrances.ts";
import { throwingDeps } from "./support/inert-deps.ts";

let api: Api;
let asked: CarrierRequest[];
beforeEach(() => {
  asked = [];
  const entrance: RequestEntrance = {
    method: "POST",
    path: "/carrier/there/:callId/status",
    answer: async (request) => {
      asked.push(request);
      return { status: 200, contentType: "text/xml", body: "<Response/>" };
    },
  };
  api = buildServer(throwingDeps(() => new Error("not asked"), { requestEntrances: [entrance] }));
});
afterEach(() => api.close());

const send = (payload: string, type = "application/x-www-form-urlencoded") =>
  api.inject({
    method: "POST",
    url: "/carrier/there/call_1/status?rc=5&rp=all",
    headers: { "content-type": type, "x-signature": "abc" },
    payload,
  });

it("gives a carrier's request as it came, whatever its type, and answers what the adapter says", async () => {
  const answer = await send("CallStatus=ringing&To=%2B1");
  expect([answer.statusCode, answer.headers["content-type"], answer.body]).toEqual([
    200,
    "text/xml",
    "<Response/>",
  ]);
  await send("{not json", "application/json");
  expect(asked.map(({ rawBody }) => Buffer.from(rawBody).toString())).toEqual([
    "CallStatus=ringing&To=%2B1",
    "{not json",
  ]);
  expect(asked[0]).toMatchObject({
    method: "POST",
    url: "/carrier/there/call_1/status?rc=5&rp=all",
    params: { callId: "call_1" },
    query: { rc: "5", rp: "all" },
  });
  expect(asked[0]?.headers["x-signature"]).toBe("abc");
});

it("takes 64 KiB and not a byte more", async () => {
  expect((await send("a".repeat(65_536))).statusCode).toBe(200);
  expect((await send("a".repeat(65_537))).statusCode).toBe(413);
  expect(asked).toHaveLength(1);
});

it("takes a request without a body", async () => {
  const answer = await api.inject({ method: "POST", url: "/carrier/there/call_1/status" });
  expect([answer.statusCode, asked[0]?.rawBody.length]).toEqual([200, 0]);
});
