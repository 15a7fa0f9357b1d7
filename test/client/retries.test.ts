import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createClient, idempotencyKey } from "../../client/client.ts";
import { ConnectionError, RingfoldError } from "../../client/errors.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type ScriptedService, type Step, scriptedService } from "./scripted-service.ts";

let service: ScriptedService;
afterEach(() => service.stop());

async function clientOf(steps: readonly Step[], retries?: number) {
  service = await scriptedService(steps);
  return createClient({ baseUrl: service.url, apiKey: "key", ...(retries === undefined ? {} : { retries }) });
}

const DONE: Step = { status: 200, body: { success: true, data: {} } };
const failed = (status: number, headers: Readonly<Record<string, string>> = {}): Step => ({
  status,
  headers,
  body: { success: false, error: { code: "NOT_READY", message: "Not yet" } },
});
const call = { phoneNumberId: "pn_1", assistantId: "ast_1", to: "+15005550006" };
const keys = () => service.requests.map(({ headers }) => headers["idempotency-key"]);

describe("a request is sent again", () => {
  it.each<[string, Step]>([
    ["when no answer came", "cut"],
    ["when half of the answer came", (response) => halfOf(response)],
    ["when what came is no JSON", (response) => response.writeHead(200).end("<html>")],
    ["after 500", failed(500)],
    ["after 502", (response) => response.writeHead(502).end("<html>")],
    ["after 503", failed(503)],
    ["after 504", failed(504)],
    ["after 429", failed(429)],
  ])("%s, a creating POST with the same key", async (_when, step) => {
    const client = await clientOf([step, DONE]);
    await client.calls.startOutboundCall(call);
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys()[0]]);
  });

  it("with the key that was given", async () => {
    const client = await clientOf(["cut", DONE]);
    await client.calls.startOutboundCall(call, idempotencyKey("order-4711"));
    expect(keys()).toEqual(["order-4711", "order-4711"]);
  });

  it.each<[string, Headers | [string, string][]]>([
    ["Headers", new Headers({ "Idempotency-Key": "order-1" })],
    ["pairs", [["idempotency-key", "order-1"]]],
  ])("with the key that came in %s, as fetch takes them", async (_form, headers) => {
    const client = await clientOf(["cut", DONE]);
    await client.calls.startOutboundCall(call, { headers });
    expect(keys()).toEqual(["order-1", "order-1"]);
  });

  it("when its method says that twice is as good as once", async () => {
    const client = await clientOf(["cut", DONE]);
    await client.calls.endCall("call_1");
    await client.webhooks.putWebhook({ url: "https://example.com", enabled: true });
    expect(keys()).toEqual([undefined, undefined, undefined]);
  });

  it("with a key of its own for each call of a method", async () => {
    const client = await clientOf([DONE]);
    await client.calls.startOutboundCall(call);
    await client.calls.startOutboundCall(call);
    expect(new Set(keys()).size).toBe(2);
  });

  it("three times unless told otherwise, after 0.25 to 0.5 s, then 0.5 to 1 s, then 1 to 2 s", async () => {
    const client = await clientOf(["cut"]);
    await expect(client.account.getAccount()).rejects.toThrow(ConnectionError);
    const waits = service.requests.slice(1).map(({ at }, index) => at - (service.requests[index]?.at ?? 0));
    expect(waits).toHaveLength(3);
    for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(249 * 2 ** index);
  });

  it("not before Retry-After", async () => {
    const client = await clientOf([failed(429, { "Retry-After": "1" }), DONE]);
    await client.account.getAccount();
    const [first, second] = service.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(999);
  });
});

describe("a request is sent once", () => {
  const start = (client: Awaited<ReturnType<typeof clientOf>>) => client.campaigns.startCampaign("cmp_1");

  it.each<[string, Step]>([
    ["no answer came", "cut"],
    ["it is 500", failed(500)],
    ["it is 503", failed(503)],
  ])("when %s to a POST that takes no key", async (_when, step) => {
    await expect(start(await clientOf([step, DONE]))).rejects.toThrow("/campaigns/cmp_1/start");
    expect(service.requests).toHaveLength(1);
    expect(keys()).toEqual([undefined]);
  });

  it.each([400, 401, 402, 403, 404, 409, 413, 415, 422])("when it is refused with %i", async (status) => {
    const client = await clientOf([failed(status), DONE]);
    await expect(client.calls.startOutboundCall(call)).rejects.toMatchObject({ status });
    expect(service.requests).toHaveLength(1);
  });

  it("when Retry-After is longer than a minute", async () => {
    const client = await clientOf([failed(429, { "Retry-After": "61" }), DONE]);
    await expect(client.account.getAccount()).rejects.toMatchObject({ status: 429, retryAfterMs: 61_000 });
    expect(service.requests).toHaveLength(1);
  });

  it("with retries: 0, and then without a key that nobody gave", async () => {
    const client = await clientOf(["cut", DONE], 0);
    await expect(client.calls.startOutboundCall(call)).rejects.toThrow(ConnectionError);
    expect(keys()).toEqual([undefined]);
  });

  it("when its signal ends it, also while it waits", async () => {
    const client = await clientOf([failed(503, { "Retry-After": "50" }), DONE]);
    const aborting = new AbortController();
    const asked = client.account.getAccount({ signal: aborting.signal });
    const refused = expect(asked).rejects.toThrow("enough");
    await eventually("the first request", () => service.requests.length === 1);
    aborting.abort(new Error("enough"));
    await refused;
    expect(service.requests).toHaveLength(1);
  });
});

describe("an error", () => {
  it("is an Error with what the service said", async () => {
    const error = {
      code: "VALIDATION_ERROR",
      message: "See details",
      details: [{ path: ["a", 0], message: "Bad" }],
    };
    const headers = { "X-Request-Id": "req-1" };
    const client = await clientOf([{ status: 400, headers, body: { success: false, error } }]);
    const refused = await client.campaigns.getCampaign("cmp_1").catch((reason: unknown) => reason);
    if (!(refused instanceof RingfoldError)) throw new Error("no RingfoldError");
    const { method, path, status, code, details, requestId, retryAfterMs } = refused;
    expect({ method, path, status, code, details, requestId, retryAfterMs }).toEqual({
      method: "GET",
      path: "/api/v1/campaigns/cmp_1",
      status: 400,
      code: "VALIDATION_ERROR",
      details: error.details,
      requestId: "req-1",
      retryAfterMs: null,
    });
    expect(refused.message).toBe(
      "GET /api/v1/campaigns/cmp_1 answered 400 VALIDATION_ERROR: See details; a.0: Bad",
    );
  });

  it("of a file's address is one too", async () => {
    const error = { code: "CALL_NOT_FOUND", message: "Call not found" };
    const client = await clientOf([{ status: 404, body: { success: false, error } }]);
    await expect(client.calls.getRecording("call_1")).rejects.toMatchObject({ code: "CALL_NOT_FOUND" });
  });

  it("of a proxy has no code", async () => {
    const client = await clientOf([(response) => response.writeHead(403).end("<html>")]);
    await expect(client.account.getAccount()).rejects.toMatchObject({ status: 403, code: null, details: [] });
  });

  it("names the cause where there is no answer", async () => {
    const client = await clientOf(["cut"], 0);
    const refused = await client.account.getAccount().catch((reason: unknown) => reason);
    if (!(refused instanceof ConnectionError)) throw new Error("no ConnectionError");
    expect(refused.message).toMatch(/^GET \/api\/v1\/account got no whole answer: fetch failed \(.+\)$/);
    expect(refused.cause).toBeInstanceOf(TypeError);
  });
});

function halfOf(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "40" });
  response.write('{"success": true, "da', () => response.destroy());
}
