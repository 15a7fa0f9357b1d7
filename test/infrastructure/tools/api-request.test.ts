import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { runOf, toolWorld } from "./tool-world.ts";

type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: object;
  readonly body: string;
};

let origin = "";
let seen: Seen[] = [];
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const { method = "", url = "", headers } = request;
  seen.push({ method, url, headers, body });
  answer(request, response, body);
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
  answer = (_request, response) => response.end("ok");
});

const SECRET = "s3cr3t/+ü&=key";
const world = toolWorld({ secrets: { KEY: SECRET, LINE: "a\r\nb" } });
const api = (config: JsonObject, changes: Parameters<typeof runOf>[2] = {}) =>
  runOf("API_REQUEST", { url: `${origin}/`, method: "GET", ...config }, changes);

describe("a request of a tool", () => {
  it("holds arguments, variables and secrets where they belong, and a key against repetition", async () => {
    const run = api(
      {
        url: `${origin}/orders/{orderId}?a={note}`,
        method: "POST",
        headers: { Authorization: "Bearer {{secrets.KEYS}} {orderId}", Host: "evil.example", "X-A": "1" },
        query: { phone: "{{caller_number}}", "q&": "{note}!", none: "{{missing}}" },
        body: { id: "{orderId}", n: 1, list: ["{note} for {{name}}", null], "{key}": "{{age}}" },
      },
      {
        arguments: { orderId: 'A/7"}', note: "x{orderId}&y" },
        variables: { caller_number: "+15005550006", name: 'Ada "A"', age: 7 },
      },
    );
    const { run: carryOut } = toolWorld({ secrets: { KEYS: "abc" } });
    expect(await carryOut(run)).toMatchObject({ outcome: "answered", shown: "200\nok", isError: false });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "/orders/A%2F7%22%7D?a=x%7BorderId%7D%26y&phone=%2B15005550006&q%26=x%7BorderId%7D%26y%21&none=",
      headers: {
        authorization: "Bearer abc {orderId}",
        "x-a": "1",
        host: origin.slice("http://".length),
        "idempotency-key": "call_1-1",
        "content-type": "application/json",
      },
    });
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
      id: 'A/7"}',
      n: 1,
      list: ['x{orderId}&y for Ada "A"', null],
      "{key}": "7",
    });
  });

  it("proves what came: status, bytes, their SHA-256 and the host without its port", async () => {
    answer = (_request, response) => response.writeHead(404).end("not here");
    const { outcome, shown, isError, evidence } = await world.run(api({}));
    expect([outcome, shown, isError]).toEqual(["answered", "404\nnot here", true]);
    const sha256 = createHash("sha256").update("not here").digest("hex");
    expect(evidence).toMatchObject({ status: 404, bytes: 8, sha256, host: "127.0.0.1", rows: null });
    expect(evidence.millis).toBeGreaterThanOrEqual(0);
  });

  it("follows no redirect", async () => {
    answer = (_request, response) => response.writeHead(302, { location: `${origin}/other` }).end();
    expect(await world.run(api({}))).toMatchObject({ outcome: "answered", shown: "302\n", isError: false });
    expect(seen).toHaveLength(1);
  });

  it("reads 256 KiB of 5 MB and shows 4,096 bytes that end with a whole character", async () => {
    answer = (_request, response) => response.end("ü".repeat(2_500_000));
    const { outcome, shown, evidence } = await world.run(api({}));
    expect([outcome, evidence.bytes]).toEqual(["answered", 262_144]);
    expect(Buffer.byteLength(shown)).toBe(4_096);
    expect(shown).toBe(`200\n${"ü".repeat(2_046)}`);
    answer = (_request, response) => response.end(`x${"ü".repeat(4_096)}`);
    expect(Buffer.byteLength((await world.run(api({}))).shown)).toBe(4_095);
  });

  it("shows no NUL, which nothing could store", async () => {
    answer = (_request, response) => response.end("a\u0000b");
    expect((await world.run(api({}))).shown).toBe("200\na\ufffdb");
  });

  it.each([
    ["before its head", (response: ServerResponse) => response.flushHeaders],
    ["in its body", (response: ServerResponse) => response.write("some")],
  ])("is given up when the answer hangs %s", async (_where, hang) => {
    answer = (_request, response) => void hang(response);
    const { run } = toolWorld({ millis: 300 });
    const started = performance.now();
    expect(await run(api({}))).toMatchObject({
      ...{ outcome: "timed_out", isError: true, shown: "There was no whole answer in time" },
    });
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(seen).toHaveLength(1);
  });

  it("fails, and is not sent again, when the connection breaks", async () => {
    answer = (request) => request.socket.destroy();
    expect(await world.run(api({}))).toMatchObject({
      ...{ outcome: "failed", isError: true, shown: "The other side did not answer" },
    });
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    };
    expect(await world.run(api({ method: "POST" }))).toMatchObject({ outcome: "failed" });
    expect(seen).toHaveLength(2);
  });

  it("is broken off when the call is over", async () => {
    const over = new AbortController();
    answer = () => over.abort();
    expect(await world.run(api({}, { signal: over.signal }))).toMatchObject({
      ...{ outcome: "failed", shown: "It was broken off" },
    });
    expect(await world.run(api({}, { signal: over.signal }))).toMatchObject({ outcome: "refused" });
    expect(seen).toHaveLength(1);
  });
});

describe("nothing leaves", () => {
  const NO_PATH = 'The value of "a" in the address must not be empty, `.` or `..`';

  it.each<[string, JsonObject, JsonObject, string]>([
    ["with an empty value in the address", { url: "/{a}" }, { a: "" }, NO_PATH],
    ["with .. in the address", { url: "/{a}/x" }, { a: ".." }, NO_PATH],
    ["to what is no address", { url: ":none" }, {}, "The address is no address"],
    ["without a secret that it needs", { headers: { A: "{{secrets.NONE}}" } }, {}, "There is no secret NONE"],
    [
      "with a secret that no header can hold",
      { headers: { A: "{{secrets.LINE}}" } },
      {},
      "The header a cannot hold its value",
    ],
    ["when the config cannot be read", { method: "FETCH" }, {}, "The tool cannot be read"],
  ])("%s", async (_what, config, given, shown) => {
    const url = typeof config["url"] === "string" ? { url: `${origin}${config["url"]}` } : {};
    const trial = await world.try(api({ ...config, ...url }, { arguments: given }));
    expect(trial).toMatchObject({ request: null, response: null });
    expect(trial.result).toMatchObject({
      outcome: "refused",
      isError: true,
      shown,
      evidence: { status: null },
    });
    expect(seen).toEqual([]);
  });

  it.each([
    "http://10.0.0.1/",
    "http://169.254.169.254/",
    "http://[::1]/",
    "ftp://127.0.0.1/",
    "http://127.0.0.1:22/",
  ])("to %s", async (url) => {
    expect(await world.try(api({ url }))).toMatchObject({
      result: { outcome: "refused", shown: "The address is not allowed" },
      request: { method: "GET", url, body: null },
    });
  });

  it("to a name with a private address among its addresses", async () => {
    const { run } = toolWorld({ resolve: async () => ["127.0.0.1", "10.0.0.1"] });
    const { port } = new URL(origin);
    expect(await run(api({ url: `http://shop.example:${port}/` }))).toMatchObject({ outcome: "refused" });
    expect(seen).toEqual([]);
  });

  it("for a tool that the call carries out itself", async () => {
    expect(await world.run(runOf("END_CALL", {}))).toMatchObject({
      ...{ outcome: "refused", shown: "The call itself carries this tool out" },
    });
  });
});

describe("a secret", () => {
  const echoes = {
    plain: SECRET,
    json: JSON.stringify({ key: SECRET }),
    escaped: JSON.stringify(SECRET).replaceAll("/", "\\/"),
    url: encodeURIComponent(SECRET),
    lower: encodeURIComponent(SECRET).replaceAll(/%../g, (octet) => octet.toLowerCase()),
    form: new URLSearchParams({ key: SECRET }).toString(),
    base64: Buffer.from(SECRET).toString("base64"),
    base64url: Buffer.from(SECRET).toString("base64url"),
    basic: Buffer.from(`user:${SECRET}`).toString("base64"),
    basic2: Buffer.from(`me:${SECRET}:x`).toString("base64"),
    inJson: Buffer.from(JSON.stringify({ Authorization: `Bearer ${SECRET}` })).toString("base64"),
    hex: Buffer.from(SECRET).toString("hex"),
  };

  it.each(Object.entries(echoes))("that comes back as %s is shown to nobody", async (_form, echo) => {
    answer = (_request, response) =>
      response.setHeader("x-echo", encodeURIComponent(SECRET)).end(`<${echo}>`);
    const trial = await world.try(api({ headers: { Authorization: "Bearer {{secrets.KEY}}" } }, {}));
    expect(trial.result.shown).toContain("[redacted]");
    const shown = JSON.stringify(trial);
    for (const form of Object.values(echoes)) expect(shown).not.toContain(form);
    expect(trial.request).toMatchObject({ headers: { authorization: "Bearer [redacted]" } });
    expect(trial.response).toMatchObject({ status: 200, headers: { "x-echo": "[redacted]" } });
  });

  it("is not cut in two by the end of what is shown", async () => {
    answer = (_request, response) => response.end(`${"x".repeat(4_085)}${SECRET}`);
    const { shown } = await world.run(api({ headers: { Authorization: "{{secrets.KEY}}" } }));
    expect(shown).not.toContain("s3c");
  });
});

it("never throws, whatever breaks inside", async () => {
  const broken = toolWorld();
  const run = api({ headers: { A: "{{secrets.KEY}}" } });
  const proxy = new Proxy(run, {
    get: (target, name, receiver) => {
      if (name === "owner") throw new Error("broken");
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  expect(await broken.run(proxy)).toMatchObject({
    ...{ outcome: "failed", isError: true, shown: "The tool could not be run" },
  });
});
