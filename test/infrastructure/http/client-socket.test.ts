import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createAriClient } from "../../../infrastructure/carriers/asterisk/ari/ari-client.ts";
import { openEventSocket } from "../../../infrastructure/carriers/asterisk/link/event-socket.ts";
import { openMediaLeg } from "../../../infrastructure/carriers/asterisk/media/media-leg.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import { openClientSocket } from "../../../infrastructure/http/client-socket.ts";
import { connectPhone } from "../../../programs/phone/phone-connection.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { rawReceiver } from "../../support/raw-receiver.ts";

const MIB = 1024 * 1024;
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

const guardOf = (resolve: ResolveName = async () => [], cidrs = ["127.0.0.0/8"]) => ({
  policy: addressPolicy(cidrs),
  resolve,
  ca: undefined,
});
const socketTo = (address: string, guard = guardOf()) => {
  const socket = openClientSocket(address, { openMillis: 5_000, guard });
  open.push({ close: () => socket.terminate() });
  return socket;
};

const closed = (socket: WebSocket) => new Promise((resolve) => socket.once("close", resolve));

type Far = { readonly url: string; readonly codes: number[]; readonly offered: unknown[] };

/** A far side that would compress everything, and does with each socket what a test wants. */
async function farSide(onOpen: (socket: WebSocket, request: IncomingMessage) => void): Promise<Far> {
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port: 0,
    perMessageDeflate: { threshold: 0 },
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  });
  await once(server, "listening");
  const codes: number[] = [];
  const offered: unknown[] = [];
  server.on("connection", (socket, request) => {
    offered.push(request.headers["sec-websocket-extensions"]);
    socket.on("error", () => undefined);
    socket.on("close", (code) => codes.push(code));
    onOpen(socket, request);
  });
  open.push({
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await once(server, "close");
    },
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `ws://127.0.0.1:${address.port}`, codes, offered };
}

/** Head of an unmasked frame. `first`: FIN, RSV1 and the opcode. */
function frame(first: number, bytes: number): Buffer {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
}
const TEXT = 0x81;
const COMPRESSED_TEXT = 0xc1;

describe("a socket to a far side", () => {
  it("takes a message of 1 MiB, and closes at a larger one before it has come", async () => {
    const far = await farSide((socket, { socket: line }) => {
      socket.send("x".repeat(MIB), () => line.write(frame(TEXT, MIB + 1)));
    });
    const socket = socketTo(far.url);
    const lengths: number[] = [];
    socket.addEventListener("message", ({ data }) => lengths.push(String(data).length));
    await closed(socket);
    expect(lengths).toEqual([MIB]);
    await expect.poll(() => far.codes).toEqual([1009]);
  });

  it("closes at a message that is too large in all its fragments", async () => {
    const far = await farSide((socket) => {
      for (let part = 0; part < 5; part += 1) socket.send("x".repeat(MIB / 4), { fin: false });
    });
    const socket = socketTo(far.url);
    const messages: unknown[] = [];
    socket.addEventListener("message", ({ data }) => messages.push(data));
    await closed(socket);
    await expect.poll(() => far.codes).toEqual([1009]);
    expect(messages).toEqual([]);
  });

  it("closes at a compressed frame, which nobody offered to read", async () => {
    const small = deflateRawSync(Buffer.alloc(120 * MIB));
    expect(small.length).toBeLessThan(MIB);
    const far = await farSide((_socket, { socket: line }) => {
      line.write(Buffer.concat([frame(COMPRESSED_TEXT, small.length), small]));
    });
    const socket = socketTo(far.url);
    const messages: unknown[] = [];
    socket.addEventListener("message", ({ data }) => messages.push(data));
    await closed(socket);
    expect(messages).toEqual([]);
    expect(far.offered).toEqual([undefined]);
  });

  it("is opened to allowed addresses only, of a name and literal", async () => {
    const far = await farSide(() => undefined);
    const { port } = new URL(far.url);
    const named = `ws://asterisk.example:${port}`;
    const opened = (address: string, guard: ReturnType<typeof guardOf>) =>
      new Promise<boolean>((resolve) => {
        const socket = socketTo(address, guard);
        socket.once("open", () => resolve(true));
        socket.once("close", () => resolve(false));
      });
    expect(
      await opened(
        named,
        guardOf(async () => ["127.0.0.1"]),
      ),
    ).toBe(true);
    expect(
      await opened(
        named,
        guardOf(async () => ["127.0.0.1", "10.0.0.1"]),
      ),
    ).toBe(false);
    expect(await opened(far.url, guardOf())).toBe(true);
    expect(
      await opened(
        far.url,
        guardOf(async () => [], []),
      ),
    ).toBe(false);
    expect(far.offered).toHaveLength(2);
  });

  it("is given up when nothing comes of it, a name server that says nothing included", async () => {
    const silent = await rawReceiver((socket) => socket.resume());
    open.push(silent);
    for (const [address, resolve] of [
      [`ws://127.0.0.1:${silent.port}`, async () => []],
      ["ws://asterisk.example", () => new Promise<never>(() => undefined)],
    ] as const) {
      const socket = openClientSocket(address, { openMillis: 50, guard: guardOf(resolve) });
      await closed(socket);
      expect(socket.readyState).toBe(socket.CLOSED);
    }
    await expect.poll(() => silent.sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

describe("a socket that is open", () => {
  it("stays open however long after the time for opening", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const far = await farSide((there) => there.on("message", () => there.send("still here")));
      const socket = socketTo(far.url);
      await once(socket, "open");
      vi.advanceTimersByTime(3_600_000);
      const heard = new Promise((resolve) => {
        socket.once("message", (data) => resolve(String(data)));
        socket.once("close", () => resolve("closed"));
      });
      socket.send("hello");
      expect(await heard).toBe("still here");
    } finally {
      vi.useRealTimers();
    }
  });

  it("was opened with the headers and the protocol that it was given", async () => {
    const asked: unknown[] = [];
    const far = await farSide((_socket, { headers, url }) =>
      asked.push([url, headers["x-key"], headers["sec-websocket-protocol"]]),
    );
    const socket = openClientSocket(`${far.url}/media?a=b`, {
      protocols: ["media"],
      headers: { "x-key": "1" },
      openMillis: 5_000,
      guard: guardOf(),
    });
    open.push({ close: () => socket.terminate() });
    await once(socket, "open");
    expect([socket.protocol, ...asked]).toEqual(["media", ["/media?a=b", "1", "media"]]);
  });

  it("takes no larger messages than it was told, and at most 1 MiB whatever it was told", async () => {
    const far = await farSide((socket, { url }) => socket.send("x".repeat(url === "/small" ? 11 : MIB + 1)));
    for (const [path, mostBytes] of [
      ["/small", 10],
      ["/large", 10 * MIB],
    ] as const) {
      const options = { openMillis: 5_000, mostBytes, guard: guardOf() };
      const socket = openClientSocket(`${far.url}${path}`, options);
      open.push({ close: () => socket.terminate() });
      await closed(socket);
    }
    await expect.poll(() => far.codes).toEqual([1009, 1009]);
  });

  it("is not opened any more by a name server that answers when it was given up", async () => {
    const far = await farSide(() => undefined);
    const late = Promise.withResolvers<readonly string[]>();
    const named = `ws://asterisk.example:${new URL(far.url).port}`;
    const socket = socketTo(
      named,
      guardOf(() => late.promise),
    );
    socket.terminate();
    await closed(socket);
    late.resolve(["127.0.0.1"]);
    // Another one, begun after it, gets there: so this one would have got there as well.
    await once(socketTo(far.url), "open");
    expect(far.offered).toHaveLength(1);
  });
});

describe("no door takes a compressed frame, or one of 120 MiB:", () => {
  const doors: Readonly<Record<string, (url: string) => unknown>> = {
    "events of Asterisk": (url) => {
      const http = url.replace("ws:", "http:");
      const ari = createAriClient({
        url: http,
        user: "u",
        password: "p",
        guard: guardOf(),
        clock: systemClock,
      });
      open.push(ari);
      return openEventSocket(ari, "app", () => undefined);
    },
    "audio of Asterisk": (url) =>
      openMediaLeg({
        url: `${url}/media/1`,
        clock: systemClock,
        logger: silentLogger,
        guard: guardOf(),
        hangUp: () => undefined,
      }),
    "the phone": (url) => {
      const stop = new AbortController();
      open.push({ close: () => stop.abort() });
      const http = url.replace("ws:", "http:");
      const told = { onFrame: () => undefined, onChange: () => undefined };
      return connectPhone({ url: http, key: "k", phoneId: "one", stop: stop.signal, ...told }).over;
    },
  };
  it.each(Object.entries(doors))("%s", async (_door, enter) => {
    const far = await farSide((_socket, { socket: line }) => line.write(frame(TEXT, 120 * MIB)));
    const over = enter(far.url);
    await expect.poll(() => far.codes.at(0), { timeout: 10_000 }).toBe(1009);
    expect(far.offered[0]).toBeUndefined();
    for (const item of open.splice(0)) await item.close();
    await over;
  });
});
