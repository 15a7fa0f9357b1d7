import { afterEach, describe, expect, it, vi } from "vitest";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import type { ExchangeLimits, GuardedRequest } from "../../../infrastructure/http/guarded-exchange.ts";
import {
  DEFAULT_EXCHANGE_LIMITS,
  type GuardedHttpClient,
  guardedHttpClient,
} from "../../../infrastructure/http/guarded-http-client.ts";
import { onEachRequest, type RawReceiver, rawReceiver } from "../../support/raw-receiver.ts";

type FarSocket = RawReceiver["sockets"][number];

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const item of open.splice(0)) await item.close();
});

function client(
  limits: Partial<ExchangeLimits> = {},
  resolve: ResolveName = async () => ["127.0.0.1"],
): GuardedHttpClient {
  const deps = { policy: addressPolicy(["127.0.0.0/8"]), resolve, ca: undefined };
  const made = guardedHttpClient(deps, { ...DEFAULT_EXCHANGE_LIMITS, ...limits });
  open.push(made);
  return made;
}

/** `count`: of all requests of all sockets. */
async function receiver(answer: (socket: FarSocket, count: number) => unknown) {
  let requests = 0;
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, () => {
      requests += 1;
      answer(socket, requests);
    }),
  );
  open.push(made);
  return { ...made, requests: () => requests };
}

const post = (url: string, headers: Readonly<Record<string, string>> = {}): GuardedRequest => ({
  url,
  method: "POST",
  headers,
  body: Buffer.from("{}"),
});
const answerOf = (bytes: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n${"x".repeat(bytes)}`;

describe("the bounds of an exchange", () => {
  it("read an answer of 16 KiB whole and keep 4 KiB; of one byte more it is cut off", async () => {
    const { url } = await receiver((socket, count) => socket.write(answerOf(16 * 1024 + count - 1)));
    const guarded = client();
    const ends = [await guarded.send(post(url)), await guarded.send(post(url))];
    expect(ends.map((end) => end.kind === "answered" && [end.complete, end.body.length])).toEqual([
      [true, 4_096],
      [false, 4_096],
    ]);
  });

  it("keep the beginning of an answer that comes in pieces, and no byte more", async () => {
    const { url } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", () =>
        setImmediate(() => socket.write("def", () => setImmediate(() => socket.write("ghi")))),
      );
    });
    const end = await client({ answerKeptBytes: 4 }).send(post(url));
    expect(end).toMatchObject({ kind: "answered", complete: true });
    expect(end.kind === "answered" && end.body.toString()).toBe("abcd");
  });

  it("allow a repeat only the time that the first try left", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    vi.advanceTimersByTime(7_000);
    const asked: PromiseWithResolvers<FarSocket>[] = [1, 2, 3].map(() => Promise.withResolvers());
    const { url } = await receiver((socket, count) => asked[count - 1]?.resolve(socket));
    const guarded = client({ totalMillis: 15_000, keepAliveMillis: 600_000 });
    const first = guarded.send(post(url));
    (await asked[0]?.promise)?.write(OK);
    await first;
    const second = guarded.send(post(url));
    const used = await asked[1]?.promise;
    vi.advanceTimersByTime(14_000);
    used?.destroy();
    await asked[2]?.promise;
    vi.advanceTimersByTime(1_001);
    const end = await second;
    expect(end).toMatchObject({ kind: "failed", reason: "total_timeout", reused: false });
    expect(end.times.total).toBeLessThan(2_000);
  });

  it("are told by times that begin with the exchange, each null where nothing happened", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(7_000);
    const { port } = await receiver((socket) => {
      vi.advanceTimersByTime(200);
      socket.write(OK);
    });
    const guarded = client({}, async () => {
      vi.advanceTimersByTime(100);
      return ["127.0.0.1"];
    });
    const named = `http://hook.example:${port}/`;
    const fresh = { dns: 100, connect: 0, tls: null, firstByte: 300, total: 300 };
    expect((await guarded.send(post(named))).times).toEqual(fresh);
    const again = { dns: null, connect: null, tls: null, firstByte: 200, total: 200 };
    expect((await guarded.send(post(named))).times).toEqual(again);
    const literal = { dns: null, connect: 0, tls: null, firstByte: 200, total: 200 };
    expect((await guarded.send(post(`http://127.0.0.1:${port}/`))).times).toEqual(literal);
  });

  it("hold for interim answers per request: twenty of them, and not one more", async () => {
    const { url, sockets } = await receiver((socket, count) =>
      socket.write(CONTINUE.repeat(count < 3 ? 20 : 21) + OK),
    );
    const guarded = client();
    const kinds = [];
    for (let count = 0; count < 3; count += 1) kinds.push((await guarded.send(post(url))).kind);
    expect(kinds).toEqual(["answered", "answered", "failed"]);
    expect(sockets).toHaveLength(1);
  });

  it("take no change of protocol for an interim answer", async () => {
    const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
    const { url, sockets } = await receiver((socket) => socket.write(switching + OK));
    expect(await client({ totalMillis: 60_000 }).send(post(url))).toMatchObject({ kind: "failed" });
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

describe("what is no answer", () => {
  it("an answer sent ahead, which nobody asked for, answers no later request", async () => {
    const ahead = "HTTP/1.1 299 Ahead\r\nContent-Length: 0\r\n\r\n";
    const { url } = await receiver((socket, count) => socket.write(count === 1 ? OK + ahead : OK));
    const guarded = client();
    await guarded.send(post(url));
    expect(await guarded.send(post(url))).toMatchObject({ kind: "answered", status: 200 });
  });

  it("a request that cannot be written is a failure, of which nothing is sent", async () => {
    const { url, requests } = await receiver((socket) => socket.write(OK));
    const guarded = client();
    expect(await guarded.send(post(url, { "x-a": "1\r\nx-b: 2" }))).toMatchObject({ kind: "failed" });
    expect(await guarded.send(post(url))).toMatchObject({ kind: "answered" });
    expect(requests()).toBe(1);
  });

  it("a name without any address is a failure of the phase dns, with a reason that does not tell the name", async () => {
    const end = await client({}, async () => []).send(post("http://hook.example/?token=secret"));
    expect(end).toMatchObject({ kind: "failed", phase: "dns", reason: "Error", remoteAddress: null });
    expect(JSON.stringify(end)).not.toMatch(/hook|secret/);
  });

  it("a name server that answers when the exchange is over opens no socket any more", async () => {
    const { port, sockets } = await receiver((socket) => socket.write(OK));
    const late = Promise.withResolvers<readonly string[]>();
    const asked = client({ connectMillis: 20 }, () => late.promise);
    const named = post(`http://hook.example:${port}/`);
    expect(await asked.send(named)).toMatchObject({ phase: "dns", reason: "connect_timeout" });
    late.resolve(["127.0.0.1"]);
    // Another connection, begun after it, is made: so this one would have been made as well.
    expect(await client().send(named)).toMatchObject({ kind: "answered" });
    expect(sockets).toHaveLength(1);
  });
});

describe("the sockets of one origin", () => {
  /** Two requests at once, both answered when both have come. */
  async function twoAtOnce(guarded: GuardedHttpClient, url: string) {
    return (await Promise.all([guarded.send(post(url)), guarded.send(post(url))])).map(
      (end) => end.kind === "answered" && end.reused,
    );
  }
  async function pairing() {
    const waiting: FarSocket[] = [];
    return receiver((socket) => {
      if (waiting.push(socket) === 2) for (const each of waiting.splice(0)) each.write(OK);
    });
  }

  it("are one for each request under way, and all are used again", async () => {
    const { url, sockets } = await pairing();
    const guarded = client();
    expect(await twoAtOnce(guarded, url)).toEqual([false, false]);
    expect(await twoAtOnce(guarded, url)).toEqual([true, true]);
    expect(sockets).toHaveLength(2);
  });

  it("are not used again once the receiver closed them, and the others are", async () => {
    const { url, sockets } = await pairing();
    const guarded = client();
    await twoAtOnce(guarded, url);
    sockets[1]?.end();
    await expect.poll(() => sockets[1]?.destroyed).toBe(true);
    const reused = await twoAtOnce(guarded, url);
    expect(reused.toSorted()).toEqual([false, true]);
    expect(sockets).toHaveLength(3);
  });

  it("are of no use after an answer that was cut off", async () => {
    const { url, sockets } = await receiver((socket, count) =>
      socket.write(answerOf(count === 1 ? 20_000 : 2)),
    );
    const guarded = client();
    expect(await guarded.send(post(url))).toMatchObject({ kind: "answered", complete: false });
    expect(await guarded.send(post(url))).toMatchObject({ kind: "answered", complete: true, reused: false });
    expect(sockets).toHaveLength(2);
  });

  it("close when idle for so long as is allowed, though the receiver offers to keep them for longer", async () => {
    const { url, sockets } = await receiver((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 0\r\n\r\n"),
    );
    await client({ keepAliveMillis: 50 }).send(post(url));
    await expect.poll(() => sockets[0]?.destroyed, { timeout: 15_000 }).toBe(true);
  });

  it("close with the client when idle", async () => {
    const { url, sockets } = await receiver((socket) => socket.write(OK));
    const guarded = client({ keepAliveMillis: 600_000 });
    await guarded.send(post(url));
    guarded.close();
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });
});
