import type { Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import {
  AnswerTooLong,
  type FetchLimits,
  type GuardedFetch,
  guardedFetch,
} from "../../../infrastructure/http/guarded-fetch.ts";
import { AddressNotAllowed } from "../../../infrastructure/http/pinned-connector.ts";
import { onEachRequest, rawReceiver } from "../../support/raw-receiver.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

const LIMITS: FetchLimits = {
  connectMillis: 60_000,
  answerHeaderBytes: 16 * 1024,
  answerBytes: 1_000,
  keepAliveMillis: 30_000,
};

function way(resolve: ResolveName, limits: Partial<FetchLimits> = {}): GuardedFetch {
  const deps = { policy: addressPolicy(["127.0.0.0/8"]), resolve, ca: undefined };
  const made = guardedFetch(deps, { ...LIMITS, ...limits });
  open.push(made);
  return made;
}

async function receiver(...answers: readonly string[]) {
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, (count) => socket.write(answers[count - 1] ?? answers[0] ?? "")),
  );
  open.push(made);
  return made;
}

const loopback: ResolveName = async () => ["127.0.0.1"];
const get = (signal = new AbortController().signal) =>
  ({ method: "GET", headers: {}, body: null, signal }) as const;
const closing = (body: string) =>
  `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

it("judges the name at every connect", async () => {
  const { port } = await receiver(closing("ok"));
  const answers = [["127.0.0.1"], ["127.0.0.1", "10.0.0.1"]];
  const { fetch } = way(async () => answers.shift() ?? []);
  expect(await (await fetch(`http://model.example:${port}/`, get())).text()).toBe("ok");
  await expect(fetch(`http://model.example:${port}/`, get())).rejects.toBeInstanceOf(AddressNotAllowed);
});

it("takes a redirect for the answer that it is", async () => {
  const { port, sockets } = await receiver(
    "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
  );
  const answer = await way(loopback).fetch(`http://model.example:${port}/`, get());
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/other"]);
  expect(sockets).toHaveLength(1);
});

it("reads no more of an answer than is allowed, and lets go of the connection", async () => {
  const { port, sockets } = await receiver(
    `HTTP/1.1 200 OK\r\nContent-Length: 90000000\r\n\r\n${"x".repeat(9_000)}`,
  );
  const answer = await way(loopback).fetch(`http://model.example:${port}/`, get());
  await expect(answer.text()).rejects.toBeInstanceOf(AnswerTooLong);
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
});

it("gives up connecting in time, also while a name server says nothing", async () => {
  const { fetch } = way(() => new Promise(() => undefined), { connectMillis: 50 });
  await expect(fetch("http://model.example:1/", get())).rejects.toThrow("connecting took too long");
});

it("waits for an answer however long, also beyond the limit of connecting", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const asked = Promise.withResolvers<Socket>();
    const made = await rawReceiver((socket) => onEachRequest(socket, () => asked.resolve(socket)));
    open.push(made);
    const answering = way(loopback, { connectMillis: 3_000 }).fetch(
      `http://model.example:${made.port}/`,
      get(),
    );
    const socket = await asked.promise;
    vi.advanceTimersByTime(60_000);
    socket.write(closing("ok"));
    expect(await (await answering).text()).toBe("ok");
  } finally {
    vi.useRealTimers();
  }
});

it("ends when it is told to, also in the middle of an answer", async () => {
  const { port, sockets } = await receiver("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
  const stopping = new AbortController();
  const answer = await way(loopback).fetch(`http://model.example:${port}/`, get(stopping.signal));
  const reading = answer.text();
  stopping.abort();
  await expect(reading).rejects.toThrow();
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
});

it("passes over interim answers that nobody asked for", async () => {
  const interim =
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
  const { port } = await receiver(interim + closing("ok"));
  const answer = await way(loopback).fetch(`http://model.example:${port}/`, get());
  expect([answer.status, await answer.text()]).toEqual([200, "ok"]);
});

it("an odd status is a failure of the server", async () => {
  const { port } = await receiver("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n");
  expect((await way(loopback).fetch(`http://model.example:${port}/`, get())).status).toBe(502);
});

it.each([600, 204, 205, 304])("so is %i, which has no answer that could be read", async (status) => {
  const { port } = await receiver(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`);
  expect((await way(loopback).fetch(`http://model.example:${port}/`, get())).status).toBe(502);
});

it.each([200, 299, 404, 599])("%i is told as it is", async (status) => {
  const { port } = await receiver(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`);
  expect((await way(loopback).fetch(`http://model.example:${port}/`, get())).status).toBe(status);
});

it("reads an answer of just so many bytes as are allowed, and not one of one more", async () => {
  const { port } = await receiver(closing("x".repeat(1_000)));
  const { fetch } = way(loopback);
  expect(await (await fetch(`http://model.example:${port}/`, get())).text()).toHaveLength(1_000);
  const longer = await receiver(closing("x".repeat(1_001)));
  const answer = await fetch(`http://model.example:${longer.port}/`, get());
  await expect(answer.text()).rejects.toThrow("longer than 1000 bytes");
});

it("reads no more headers than are allowed", async () => {
  const { port } = await receiver(`HTTP/1.1 200 OK\r\nX: ${"y".repeat(17_000)}\r\n\r\n`);
  await expect(way(loopback).fetch(`http://model.example:${port}/`, get())).rejects.toMatchObject({
    code: "UND_ERR_HEADERS_OVERFLOW",
  });
});

it("sends what it was given, and tells repeated headers as one", async () => {
  const requests: string[] = [];
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, (_count, raw) => {
      requests.push(raw);
      socket.write("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n");
    }),
  );
  open.push(made);
  const { signal } = new AbortController();
  const request = { method: "POST", headers: { "x-key": "k" }, body: "words", signal } as const;
  const answer = await way(loopback).fetch(`http://model.example:${made.port}/a?b=c`, request);
  expect(answer.headers.get("x-a")).toBe("1, 2");
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatch(/^POST \/a\?b=c HTTP\/1\.1\r\n/);
  expect(requests[0]).toContain("\r\nx-key: k\r\n");
  expect(requests[0]).toMatch(/\r\n\r\nwords$/);
});

it("uses a connection again though the reader left a short rest of its answer, and not after a long one", async () => {
  const head = (bytes: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`;
  const rests: Record<string, Socket> = {};
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, (_count, raw) => {
      const path = raw.split(" ")[1] ?? "";
      rests[path] = socket;
      socket.write(path === "/whole" ? `${head(2)}ok` : `${head(path === "/short" ? 600 : 90_000)}first`);
    }),
  );
  open.push(made);
  const { fetch } = way(loopback, { answerBytes: 200_000 });
  const url = (path: string) => `http://model.example:${made.port}${path}`;
  const leave = async (path: string) => {
    const reader = (await fetch(url(path), get())).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    rests[path]?.write("x".repeat(path === "/short" ? 595 : 89_995));
  };
  /** The connection on which the next request comes. */
  const next = async () => {
    expect(await (await fetch(url("/whole"), get())).text()).toBe("ok");
    return rests["/whole"];
  };
  await leave("/short");
  await expect.poll(next).toBe(rests["/short"]);
  await leave("/long");
  await expect.poll(() => rests["/long"]?.destroyed).toBe(true);
  expect(await next()).not.toBe(rests["/long"]);
});

it("opens no socket when the name server answers after it gave up connecting", async () => {
  const { port, sockets } = await receiver(closing("ok"));
  const late = Promise.withResolvers<readonly string[]>();
  const asked = way(() => late.promise, { connectMillis: 20 });
  await expect(asked.fetch(`http://model.example:${port}/`, get())).rejects.toThrow("too long");
  late.resolve(["127.0.0.1"]);
  // Another one, begun after it, gets there: so this one would have got there as well.
  expect((await way(loopback).fetch(`http://model.example:${port}/`, get())).status).toBe(200);
  expect(sockets).toHaveLength(1);
});

it("breaks off what is under way when it is closed", async () => {
  const { port, sockets } = await receiver("");
  const made = way(loopback);
  const asking = made.fetch(`http://model.example:${port}/`, get());
  await expect.poll(() => sockets.length).toBe(1);
  await made.close();
  await expect(asking).rejects.toThrow();
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
});
