import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import { resolveName } from "../../../infrastructure/http/resolve-name.ts";
import { createToolRunner } from "../../../infrastructure/tools/tool-runner.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { runOf, toolWorld } from "./tool-world.ts";

type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

let origin = "";
let seen: Seen[] = [];
let answer: (response: ServerResponse) => unknown;
const server = createServer({ maxHeaderSize: 64 * 1024 }, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "", url = "", headers } = request;
  seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
  answer(response);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  answer = (response) => response.end("ok");
});

const SECRET = "hush-hush-1234";
const world = toolWorld({ secrets: { KEY: SECRET, OTHER: "other-secret", LINES: "two\r\nlines" } });
const api = (config: JsonObject, changes: Parameters<typeof runOf>[2] = {}) =>
  runOf("API_REQUEST", { url: `${origin}/`, method: "GET", ...config }, changes);
const OF_THE_CONNECTION = {
  Connection: "upgrade",
  "Content-Length": "3",
  Expect: "100-continue",
  Host: "evil.example",
  "Keep-Alive": "timeout=9",
  "Proxy-Authorization": "Basic x",
  "Proxy-Connection": "keep-alive",
  TE: "trailers",
  Trailer: "x",
  "Transfer-Encoding": "chunked",
  Upgrade: "websocket",
};

describe("headers of a tool", () => {
  it("that belong to the connection are left to it: the request comes whole, and as one", async () => {
    const body = { text: "longer than three" };
    const run = api({ method: "POST", headers: { ...OF_THE_CONNECTION, "X-A": "1" }, body });
    expect(await world.run(run)).toMatchObject({ outcome: "answered", shown: "200\nok" });
    expect(seen.map((request) => request.body)).toEqual([JSON.stringify(body)]);
    const { host, connection, ...headers } = seen[0]?.headers ?? {};
    expect([host, connection]).toEqual([origin.slice("http://".length), "keep-alive"]);
    expect(headers).toEqual({
      "user-agent": "ringfold",
      accept: "*/*",
      "content-type": "application/json",
      "x-a": "1",
      "accept-encoding": "identity",
      "idempotency-key": "call_1-1",
      "content-length": String(JSON.stringify(body).length),
    });
  });

  it("may say what is sent and wanted, but neither its encoding nor its key against repetition", async () => {
    const given = {
      "User-Agent": "mine",
      Accept: "text/csv",
      "Content-Type": "application/x",
      "Accept-Encoding": "gzip",
      "Idempotency-Key": "mine",
    };
    await world.run(api({ method: "PUT", headers: given, body: {} }));
    expect(seen[0]?.headers).toMatchObject({
      "user-agent": "mine",
      accept: "text/csv",
      "content-type": "application/x",
      "accept-encoding": "identity",
      "idempotency-key": "call_1-1",
    });
  });

  it("hold several secrets, each written with or without spaces and in any case", async () => {
    const headers = {
      A: "{{secrets.KEY}}:{{ Secrets.OTHER }}",
      B: "{{secrets.KEY}}",
      C: `{{secrets.${"x".repeat(65)}}}`,
    };
    await world.run(api({ headers }));
    expect(seen[0]?.headers).toMatchObject({ a: `${SECRET}:other-secret`, b: SECRET, c: headers.C });
  });

  it("are not sent with a value that no header can hold, and which one that is is said", async () => {
    const result = await world.run(api({ headers: { Fine: "a", Key: "{{secrets.LINES}}" } }));
    expect(result).toMatchObject({ outcome: "refused", shown: "The header key cannot hold its value" });
    expect(seen).toEqual([]);
  });
});

describe("a request without a body", () => {
  it.each(["GET", "DELETE", "HEAD"])("is that of %s, though the tool has one", async (method) => {
    await world.run(api({ method, body: { a: 1 } }));
    expect(seen[0]).toMatchObject({ method, body: "" });
    expect(seen[0]?.headers["content-type"]).toBeUndefined();
  });

  it("has no mark of a query when there is none, and one query of the address and the tool together", async () => {
    const { request } = await world.try(api({ url: `${origin}/a` }));
    expect(request).toMatchObject({ url: `${origin}/a` });
    await world.run(api({ url: `${origin}/a?b=c` }));
    await world.run(api({ url: `${origin}/a?b=c`, query: { d: "e" } }));
    expect(seen.map(({ url }) => url)).toEqual(["/a", "/a?b=c", "/a?b=c&d=e"]);
  });

  it("takes no value from what every object has", async () => {
    await world.run(api({ method: "POST", body: { a: "{toString}|{{constructor}}|{__proto__}" } }));
    expect(seen[0]?.body).toBe(JSON.stringify({ a: "||" }));
  });
});

describe("an answer", () => {
  it.each([
    ["iso-8859-1", "text/plain; charset=iso-8859-1"],
    ["iso-8859-1 in quotes", 'text/plain; Charset="ISO-8859-1"'],
  ])("in %s is shown as it was meant", async (_name, type) => {
    answer = (response) =>
      response.writeHead(200, { "content-type": type }).end(Buffer.from("für", "latin1"));
    expect((await world.run(api({}))).shown).toBe("200\nfür");
  });

  it.each(["text/plain; charset=no-such-thing", "text/plain"])("of %s is read as UTF-8", async (type) => {
    answer = (response) =>
      response.writeHead(200, { "content-type": type }).end(Buffer.from([0x66, 0xc3, 0xbc, 0xff]));
    expect((await world.run(api({}))).shown).toBe("200\nfü\ufffd");
  });

  it.each([
    [399, false],
    [400, true],
    [500, true],
  ])("%i: an error is %s", async (status, isError) => {
    answer = (response) => response.writeHead(status).end();
    expect(await world.run(api({}))).toMatchObject({ outcome: "answered", isError });
  });

  it("of 256 KiB is proved whole, and one that ends too early after so much as well", async () => {
    const whole = Buffer.alloc(256 * 1024, "x");
    answer = (response) => response.end(whole);
    expect((await world.run(api({}))).evidence).toMatchObject({ bytes: whole.length });
    answer = (response) => {
      response.writeHead(200, { "content-length": String(2 * whole.length) });
      response.write(Buffer.concat([whole, Buffer.from("x")]));
    };
    expect(await world.run(api({}))).toMatchObject({
      outcome: "answered",
      evidence: { bytes: whole.length },
    });
  });

  it("has 32 KiB of headers at the most", async () => {
    answer = (response) => response.writeHead(200, { "x-long": "y".repeat(30_000) }).end("ok");
    expect(await world.run(api({}))).toMatchObject({ outcome: "answered" });
    answer = (response) => response.writeHead(200, { "x-long": "y".repeat(33_000) }).end("ok");
    expect(await world.run(api({}))).toMatchObject({
      outcome: "failed",
      shown: "The other side did not answer",
      evidence: { host: "127.0.0.1", status: null, bytes: null, sha256: null },
    });
  });
});

describe("a secret is hidden", () => {
  it("in every header of an answer, repeated ones too", async () => {
    answer = (response) => response.setHeader("set-cookie", ["a=1", `key=${SECRET}`]).end("ok");
    const trial = await world.try(api({ headers: { A: "{{secrets.KEY}}" } }));
    expect(trial.response).toMatchObject({ headers: { "set-cookie": "a=1, key=[redacted]" } });
  });

  it("in the address and the body that were sent, where the model repeated it", async () => {
    const run = api(
      { url: `${origin}/{a}?b={a}`, method: "POST", headers: { A: "{{secrets.KEY}}" }, body: { a: "{a}" } },
      { arguments: { a: SECRET } },
    );
    const { request } = await world.try(run);
    expect(seen[0]?.body).toContain(SECRET);
    expect(request).toMatchObject({ url: `${origin}/[redacted]?b=[redacted]`, body: '{"a":"[redacted]"}' });
    expect(JSON.stringify(request)).not.toContain(SECRET);
  });
});

it("asks for what its owner has, and for no more than it names", async () => {
  const asked: unknown[] = [];
  const runner = createToolRunner({
    http: { policy: addressPolicy(["127.0.0.0/8"]), resolve: resolveName, ca: undefined },
    secrets: async (...given) => {
      asked.push(given);
      return new Map([["KEY", SECRET]]);
    },
    databases: { ask: () => Promise.reject(new Error("not asked")) },
    postgresConnection: async (...given) => {
      asked.push(given);
      return null;
    },
    logger: silentLogger,
    millis: 8_000,
  });
  await runner.run(api({ headers: { A: "{{secrets.KEY}} {{secrets.KEY}}", B: "no {{secret}}" } }));
  await runner.run(runOf("DATABASE_QUERY", { connectionId: "conn_9", query: "select 1" }));
  expect(asked).toEqual([
    ["usr_1", ["KEY"]],
    ["usr_1", "conn_9"],
  ]);
});
