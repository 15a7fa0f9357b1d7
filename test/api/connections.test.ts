import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer, PATIENCE } from "../../api/server.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { movingClock } from "../support/moving-clock.ts";
import { throwingDeps } from "./support/inert-deps.ts";

const failure = () => new Error("no work in this test");

describe("connections", () => {
  let api: Api;
  let port: number;
  beforeAll(async () => {
    api = buildServer(throwingDeps(failure, { clock: systemClock }));
    await api.listen({ host: "127.0.0.1", port: 0 });
    port = Number(new URL(api.listeningOrigin).port);
  });
  afterAll(() => api.close());

  /** What comes back for bytes as they are. */
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      let answer = "";
      socket.on("data", (data) => {
        answer += data;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(answer));
      socket.write(text);
    });

  it("refuse headers above 16 KiB, an URL among them", async () => {
    const header = await raw(`GET /health/live HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(17_000)}\r\n\r\n`);
    expect(header).toMatch(/^HTTP\/1.1 431 /);
    const url = await raw(`GET /api/v1/calls?to=${"9".repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(url).toMatch(/^HTTP\/1.1 431 /);
    expect(url).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(url.split("\r\n\r\n")[1] ?? "").error.code).toBe("HEADERS_TOO_LARGE");
  });

  it("take 100 headers and no more", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}: y`).join("\r\n");
    const send = (count: number) =>
      raw(`GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${many(count - 2)}\r\n\r\n`);
    expect(await send(100)).toMatch(/^HTTP\/1.1 200 /);
    expect(await send(101)).toMatch(/^HTTP\/1.1 431 /);
  });

  it("that speak no HTTP, or name no host, are told so in the same shape", async () => {
    for (const text of ["HELLO", "GET /health/live HTTP/1.1\r\nconnection: close"]) {
      const answer = await raw(`${text}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").error.code).toBe("VALIDATION_ERROR");
    }
  });
});

describe("a client that is too slow", () => {
  const patience = { headers: 100, wholeRequest: 200, checkEvery: 20 };
  const begin = "POST /api/v1/campaigns HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\n";
  const json = "content-type: application/json\r\ncontent-length: 1000000\r\n\r\n";
  let api: Api;
  let port: number;
  beforeAll(async () => {
    api = buildServer(throwingDeps(failure, { clock: systemClock }), patience);
    await api.listen({ host: "127.0.0.1", port: 0 });
    port = Number(new URL(api.listeningOrigin).port);
  });
  afterAll(() => api.close());

  it.each([
    ["headers", begin, "x: y\r\n"],
    ["the body", `${begin}${json}{`, " "],
  ])("with %s is answered 408, however steadily it drips", async (_part, first, drop) => {
    const answer = await dripped(port, first, drop);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").error.code).toBe("REQUEST_TIMEOUT");
  });

  it("has 15 s for the headers and 60 s for the whole request", () => {
    expect(PATIENCE).toMatchObject({ headers: 15_000, wholeRequest: 60_000 });
  });
});

/** What comes back while a request arrives drop by drop, without end. */
function dripped(port: number, first: string, drop: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.write(first);
    const dripping = setInterval(() => socket.write(drop), 10);
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(dripping);
      resolve(answer);
    });
  });
}

describe("the rate limit of a key", () => {
  it("is a burst that fills again by the second", async () => {
    const clock = movingClock();
    const settings = { rateLimit: { perSecond: 2, burst: 3 } };
    const api = buildServer(throwingDeps(failure, { clock, settings }));
    const ask = async () => {
      const { statusCode, headers } = await api.inject({
        url: "/api/v1/nowhere",
        headers: { authorization: "Bearer k" },
      });
      return [statusCode, headers["ratelimit-remaining"], headers["retry-after"]];
    };
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      [404, "2", undefined],
      [404, "1", undefined],
      [404, "0", undefined],
      [429, "0", "1"],
    ]);
    clock.advance(500);
    expect(await ask()).toEqual([404, "0", undefined]);
    clock.advance(60_000);
    expect(await ask()).toEqual([404, "2", undefined]);
    await api.close();
  });
});
