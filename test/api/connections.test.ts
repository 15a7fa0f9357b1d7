import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { answerClientError } from "../../api/client-error.ts";
import { buildServer } from "../../api/server.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { systemIds } from "../../infrastructure/ids.ts";
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

  it("that speak no HTTP are told so in the same shape", async () => {
    const answer = await raw("HELLO\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").success).toBe(false);
  });

  it("that are too slow are ended: headers after 15 s, a whole request after 60 s", () => {
    expect(api.server.headersTimeout).toBe(15_000);
    expect(api.server.requestTimeout).toBe(60_000);
  });
});

it("a request that came too slowly is answered 408", async () => {
  const written: string[] = [];
  const socket = { writable: true, end: (text: string) => written.push(text), destroy: () => undefined };
  const slow = Object.assign(new Error("slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  answerClientError(systemIds)(slow, socket);
  expect(written[0]).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"REQUEST_TIMEOUT"/);
});

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
