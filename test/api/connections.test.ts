import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { CONNECTION_LIMITS, roomForAddresses } from "../../api/connection-limits.ts";
import { buildServer } from "../../api/server.ts";
import { PATIENCE } from "../../api/slow-clients.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
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

  it("are judged by the key however the target is written", async () => {
    const status = async (target: string, more = "") => {
      const answer = await raw(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`);
      return Number(answer.slice(9, 12));
    };
    for (const target of [
      "/%61pi/v1/nowhere",
      "/api/%76%31/nowhere",
      "http://x/api/v1/nowhere",
      "HTTPS://other:1/%61pi/v1/nowhere?a=%61",
      "http://x/%61pi/v1/%zz",
    ]) {
      expect([target, await status(target)]).toEqual([target, 401]);
      expect([target, await status(target, "authorization: Bearer k\r\n")]).toEqual([target, 404]);
    }
    expect(await status("http://x/health/live")).toBe(200);
  });

  it("find nothing beside the files of /docs", async () => {
    for (const path of [
      "../..",
      "../../",
      "%2e%2e/%2e%2e",
      "..%2f..",
      "a/../../..",
      "./x",
      "%00",
      "..%5c..",
    ]) {
      const answer = await raw(`GET /docs/static/${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect([path, answer.slice(9, 12)]).toEqual([path, "404"]);
    }
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
  const patience = {
    firstByte: 300,
    header: 200,
    upload: { bytes: 100, within: 200 },
    discard: { millis: 300, bytes: 1_000_000, quiet: 50 },
    answer: { room: 300, taken: 300 },
    checkEvery: 20,
  };
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
    ["the first byte", "", ""],
    ["headers", begin, "x: y\r\n"],
    ["the body", `${begin}${json}{`, " "],
  ])("with %s is answered 408, however steadily it drips", async (_part, first, drop) => {
    const answer = await dripped(port, first, drop);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").error.code).toBe("REQUEST_TIMEOUT");
  });

  it("is let go also when it never closes its side", async () => {
    const sockets = ["", begin, `${begin}${json}{`, "HELLO\r\n\r\n"].map((text) => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => undefined).resume();
      socket.write(text);
      return socket;
    });
    await eventually("all of them are there", async () => (await connectionsOf(api)) === 4);
    await delay(patience.firstByte + 2 * patience.header + 1_000 + 500);
    expect(await connectionsOf(api)).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  it("may take any time for an upload that keeps its pace", async () => {
    // A busy machine may stop this process, which is both sides, for most of a second.
    const upload = { bytes: 100, within: 1_000 };
    const patient = buildServer(throwingDeps(failure, { clock: systemClock }), { ...patience, upload });
    await patient.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(Number(new URL(patient.listeningOrigin).port), "127.0.0.1");
    socket.write(`${begin}content-type: application/json\r\ncontent-length: 8000\r\n\r\n`);
    const dripping = setInterval(() => socket.write(" ".repeat(80)), 20);
    const [answer] = await once(socket, "data");
    clearInterval(dripping);
    socket.destroy();
    await patient.close();
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
  });

  it("has 30 s for the first byte, 10 s for the rest of the header, and for a body 16 kB/s over any 10 s", () => {
    const upload = { bytes: 160_000, within: 10_000 };
    expect(PATIENCE).toMatchObject({ firstByte: 30_000, header: 10_000, upload });
  });
});

describe("a client that reads nothing before it has sent everything", () => {
  let api: Api;
  let port: number;
  beforeAll(async () => {
    api = buildServer(throwingDeps(failure, { clock: systemClock }));
    await api.listen({ host: "127.0.0.1", port: 0 });
    port = Number(new URL(api.listeningOrigin).port);
  });
  afterAll(() => api.close());
  const post = (headers: string) =>
    `POST /api/v1/campaigns HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n`;
  const KEY = "authorization: Bearer k\r\n";

  it.each([
    ["too large", 413, `${KEY}content-length: 20000000\r\n`],
    [
      "too large, on a connection that ends with it",
      413,
      `${KEY}connection: close\r\ncontent-length: 20000000\r\n`,
    ],
    [
      "without a key, on a connection that ends with it",
      401,
      "connection: close\r\ncontent-length: 20000000\r\n",
    ],
  ])("finds its answer: %s", async (_what, status, headers) => {
    const { answer, problem } = await sendAllThenRead(port, post(headers), Buffer.alloc(20_000_000, 0x20));
    expect(problem).toBeNull();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("finds it also when the length shows only at the end", async () => {
    const chunk = Buffer.concat([
      Buffer.from("f4240\r\n"),
      Buffer.alloc(1_000_000, 0x20),
      Buffer.from("\r\n"),
    ]);
    const body = Buffer.concat([...Array.from({ length: 20 }, () => chunk), Buffer.from("0\r\n\r\n")]);
    const head = post(`${KEY}connection: close\r\ntransfer-encoding: chunked\r\n`);
    const { answer, problem } = await sendAllThenRead(port, head, body);
    expect(problem).toBeNull();
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it("is not asked for a body that will be refused, and is asked for one that may be taken", async () => {
    const expecting = (length: number) => `${KEY}expect: 100-continue\r\ncontent-length: ${length}\r\n`;
    expect(await firstWord(port, post(expecting(20_000_000)))).toMatch(/^HTTP\/1.1 413 /);
    expect(await firstWord(port, post("expect: 100-continue\r\ncontent-length: 3\r\n"))).toMatch(
      /^HTTP\/1.1 401 /,
    );
    expect(await firstWord(port, post(expecting(3)))).toMatch(/^HTTP\/1.1 100 /);
  });
});

describe("connections at once", () => {
  it("are so many in all; one more is closed", async () => {
    const limits = { inAll: 3, ofAnAddress: 512 };
    const api = buildServer(throwingDeps(failure, { clock: systemClock }), PATIENCE, limits);
    await api.listen({ host: "127.0.0.1", port: 0 });
    const port = Number(new URL(api.listeningOrigin).port);
    const three = [0, 1, 2].map(() => connect(port, "127.0.0.1"));
    await eventually("three are open", async () => (await connectionsOf(api)) === 3);
    const fourth = connect(port, "127.0.0.1").on("error", () => undefined);
    await once(fourth, "close");
    expect(await connectionsOf(api)).toBe(3);
    for (const socket of three) socket.destroy();
    await api.close();
    expect(CONNECTION_LIMITS).toEqual({ inAll: 4_096, ofAnAddress: 512 });
  });

  it("gives a place back once, however often its end is told", () => {
    const { enter } = roomForAddresses([], 2);
    const leave = enter("198.51.100.1");
    enter("198.51.100.1");
    leave?.();
    leave?.();
    enter("198.51.100.1");
    expect(enter("198.51.100.1")).toBeNull();
  });

  it("are so many of one address, but for loopback and trusted proxies", () => {
    const room = roomForAddresses(["203.0.113.0/24", "2001:db8::/32"], 2);
    const enter = (address: string) => room.enter(address) !== null;
    const leave = room.enter("198.51.100.7");
    expect([enter("198.51.100.7"), enter("198.51.100.7"), enter("198.51.100.8")]).toEqual([
      true,
      false,
      true,
    ]);
    leave?.();
    expect([enter("198.51.100.7"), enter("198.51.100.7")]).toEqual([true, false]);
    for (const free of [
      "127.0.0.1",
      "::1",
      "::ffff:127.0.0.1",
      "203.0.113.9",
      "::ffff:203.0.113.9",
      "2001:db8::5",
    ])
      expect(Array.from({ length: 5 }, () => enter(free))).toEqual([true, true, true, true, true]);
  });
});

function connectionsOf({ server }: Api): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** What is there to read once everything was sent. */
async function sendAllThenRead(port: number, head: string, body: Uint8Array) {
  const socket = connect(port, "127.0.0.1");
  let problem: string | null = null;
  let answer = "";
  socket.on("error", (error) => {
    problem = error.message;
  });
  socket.pause();
  socket.write(head);
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.write(body, () => resolve());
  });
  socket.on("data", (data) => {
    answer += data;
  });
  socket.resume();
  await eventually("an answer", () => answer + (problem ?? "") !== "");
  socket.destroy();
  return { answer, problem };
}

async function firstWord(port: number, head: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(head);
  const [data] = await once(socket, "data");
  socket.destroy();
  return String(data);
}

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
