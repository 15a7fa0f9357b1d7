import { afterEach, describe, expect, it, vi } from "vitest";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import type { ExchangeLimits, GuardedRequest } from "../../../infrastructure/http/guarded-exchange.ts";
import {
  DEFAULT_EXCHANGE_LIMITS,
  type GuardedHttpClient,
  guardedHttpClient,
} from "../../../infrastructure/http/guarded-http-client.ts";
import { onEachRequest, type RawReceiver, rawReceiver } from "../../support/raw-receiver.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const toLoopback: ResolveName = () => Promise.resolve(["127.0.0.1"]);

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

function client(
  limits: Partial<ExchangeLimits> = {},
  resolve = toLoopback,
  cidrs = ["127.0.0.0/8"],
): GuardedHttpClient {
  const deps = { policy: addressPolicy(cidrs), resolve, ca: undefined };
  const made = guardedHttpClient(deps, { ...DEFAULT_EXCHANGE_LIMITS, ...limits });
  open.push(made);
  return made;
}

async function receiver(
  answer: (socket: RawReceiver["sockets"][number], count: number, raw: string) => void,
) {
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, (count, raw) => answer(socket, count, raw)),
  );
  open.push(made);
  return made;
}

function post(url: string): GuardedRequest {
  return { url, method: "POST", headers: { "content-type": "application/json" }, body: Buffer.from("{}") };
}

describe("an answer", () => {
  it("comes back with status, body, phases and the address reached", async () => {
    const { url } = await receiver((socket) => socket.write(OK));
    const result = await client().send(post(url));
    expect(result).toMatchObject({
      kind: "answered",
      status: 200,
      complete: true,
      remoteAddress: "127.0.0.1",
    });
    expect(result.kind === "answered" && result.body.toString()).toBe("ok");
    expect(result.times.connect).not.toBeNull();
    expect(result.times.firstByte).not.toBeNull();
  });

  it("of 10 MB is read no further than 16 KiB, and 4 KiB are kept", async () => {
    const { url, sockets } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n");
      socket.write(Buffer.alloc(10_485_760, "x"));
    });
    const result = await client().send(post(url));
    expect(result).toMatchObject({ kind: "answered", status: 200, complete: false });
    expect(result.kind === "answered" && result.body.length).toBe(4_096);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it("with a redirect to a private address is an answer, and nobody goes there", async () => {
    const { url, sockets } = await receiver((socket) =>
      socket.write("HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
    );
    const result = await client().send(post(url));
    expect(result).toMatchObject({
      kind: "answered",
      status: 302,
      headers: { location: "http://10.0.0.1/" },
    });
    expect(sockets).toHaveLength(1);
  });

  it("that is late but within the limit counts", async () => {
    const { url } = await receiver((socket) => setTimeout(() => socket.write(OK), 150));
    expect(await client().send(post(url))).toMatchObject({ kind: "answered", status: 200 });
  });

  it("counts after interim answers that nobody asked for, also in pieces and on a used socket", async () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\n";
    const { url, sockets } = await receiver((socket, count) => {
      if (count === 1) return socket.write(interim + OK);
      const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
      const pieces = [...(interim + hints + interim + OK)];
      const next = () => {
        const piece = pieces.shift();
        if (piece !== undefined) socket.write(piece, () => setImmediate(next));
      };
      return next();
    });
    const guarded = client();
    expect(await guarded.send(post(url))).toMatchObject({ kind: "answered", status: 200, complete: true });
    const again = await guarded.send(post(url));
    expect(again).toMatchObject({ kind: "answered", status: 200, reused: true, complete: true });
    expect(again.kind === "answered" && again.body.toString()).toBe("ok");
    expect(sockets).toHaveLength(1);
  });

  it("is read as it was written, though it looks like an interim one", async () => {
    const body = "HTTP/1.1 100 Continue\r\n\r\n".repeat(3);
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { url } = await receiver((socket) =>
      socket.write(head, () => setImmediate(() => socket.write(body))),
    );
    const result = await client().send(post(url));
    expect(result.kind === "answered" && result.body.toString()).toBe(body);
  });

  it("may come long after the limit of connecting", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const asked = Promise.withResolvers<RawReceiver["sockets"][number]>();
      const { url } = await receiver((socket) => asked.resolve(socket));
      const sending = client({ connectMillis: 5_000, totalMillis: 15_000 }).send(post(url));
      const socket = await asked.promise;
      vi.advanceTimersByTime(14_000);
      socket.write(OK);
      expect(await sending).toMatchObject({ kind: "answered", status: 200, complete: true });
    } finally {
      vi.useRealTimers();
    }
  });

  it("whose head came in time counts although its body drips beyond the limit", async () => {
    const { url } = await receiver((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"),
    );
    const result = await client({ totalMillis: 300 }).send(post(url));
    expect(result).toMatchObject({ kind: "answered", status: 200, complete: false });
  });
});

describe("a hostile receiver", () => {
  it("that refuses is a failure of the phase connect", async () => {
    const { url, close } = await rawReceiver(() => undefined);
    await close();
    expect(await client().send(post(url))).toMatchObject({
      kind: "failed",
      phase: "connect",
      reason: "ECONNREFUSED",
    });
  });

  it("that hangs before its head fails at the total limit, and its socket is closed", async () => {
    const { url, sockets } = await receiver(() => undefined);
    const result = await client({ totalMillis: 200 }).send(post(url));
    expect(result).toMatchObject({ kind: "failed", phase: "first_byte", reason: "total_timeout" });
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it("that drips its head byte by byte fails at the total limit", async () => {
    const { url } = await receiver((socket) => {
      const bytes = [..."HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"];
      const timer = setInterval(() => socket.write(bytes.shift() ?? "x"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await client({ totalMillis: 300 }).send(post(url))).toMatchObject({
      kind: "failed",
      reason: "total_timeout",
    });
  });

  it("that resets is a failure, with one connection only", async () => {
    const { url, sockets } = await receiver((socket) => socket.resetAndDestroy());
    const result = await client().send(post(url));
    expect(result).toMatchObject({ kind: "failed", phase: "first_byte" });
    expect(sockets).toHaveLength(1);
  });

  it("that sends more than 16 KiB of headers is a failure", async () => {
    const { url } = await receiver((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nX: ${"y".repeat(17_000)}\r\n\r\n`),
    );
    expect(await client().send(post(url))).toMatchObject({
      kind: "failed",
      reason: "UND_ERR_HEADERS_OVERFLOW",
    });
  });

  it("that answers something else than HTTP is a failure", async () => {
    const { url } = await receiver((socket) => socket.write("SSH-2.0-OpenSSH\r\n"));
    expect(await client().send(post(url))).toMatchObject({ kind: "failed" });
  });

  it("that only sends informational answers fails at the total limit", async () => {
    const { url } = await receiver((socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"));
    expect(await client({ totalMillis: 200 }).send(post(url))).toMatchObject({
      kind: "failed",
      reason: "total_timeout",
    });
  });

  it("that sends interim answers without end is a failure before the total limit", async () => {
    const { url } = await receiver((socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000)));
    const result = await client().send(post(url));
    expect(result).toMatchObject({ kind: "failed" });
    expect(result).not.toMatchObject({ reason: "total_timeout" });
  });

  it("whose TLS never begins fails at the connect limit", async () => {
    const silent = await rawReceiver(() => undefined);
    open.push(silent);
    const result = await client({ connectMillis: 2_000 }).send(post(`https://127.0.0.1:${silent.port}/`));
    expect(result).toMatchObject({ kind: "failed", phase: "tls", reason: "connect_timeout" });
  });

  it("whose name never resolves fails at the connect limit", async () => {
    const result = await client({ connectMillis: 100 }, () => new Promise(() => undefined)).send(
      post("https://a.example/"),
    );
    expect(result).toMatchObject({ kind: "failed", phase: "dns", reason: "connect_timeout" });
  });
});

describe("keep-alive", () => {
  it("uses one socket for requests one after another", async () => {
    const { url, sockets } = await receiver((socket) => socket.write(OK));
    const guarded = client();
    for (let index = 0; index < 5; index++) await guarded.send(post(url));
    expect(sockets).toHaveLength(1);
    expect(await guarded.send(post(url))).toMatchObject({ reused: true, times: { connect: null } });
  });

  it("tries once more at once when a reused socket dies before the first byte", async () => {
    const { url, sockets } = await receiver((socket, count) =>
      count === 2 ? socket.destroy() : socket.write(OK),
    );
    const guarded = client();
    await guarded.send(post(url));
    expect(await guarded.send(post(url))).toMatchObject({ kind: "answered", status: 200, reused: false });
    expect(sockets).toHaveLength(2);
  });

  it("tries no third time", async () => {
    let requests = 0;
    const { url } = await receiver((socket) => {
      requests += 1;
      if (requests === 1) socket.write(OK);
      else socket.destroy();
    });
    const guarded = client();
    await guarded.send(post(url));
    expect(await guarded.send(post(url))).toMatchObject({ kind: "failed", reused: false });
    expect(requests).toBe(3);
  });

  it("does not try again when a reused socket dies after the first byte", async () => {
    const { url, sockets } = await receiver((socket, count) =>
      count === 2 ? socket.end("HTTP/1.1 200 O") : socket.write(OK),
    );
    const guarded = client();
    await guarded.send(post(url));
    expect(await guarded.send(post(url))).toMatchObject({ kind: "failed" });
    expect(sockets).toHaveLength(1);
  });

  it("goes on with a new socket after a receiver closed the idle one", async () => {
    const { url, sockets } = await receiver((socket) => socket.end(OK));
    const guarded = client();
    for (let index = 0; index < 3; index++) {
      expect(await guarded.send(post(url))).toMatchObject({ kind: "answered", status: 200 });
    }
    expect(sockets.length).toBeGreaterThan(1);
  });
});

describe("the address guard", () => {
  it("refuses a literal that is not public before anything is sent", async () => {
    const { url, sockets } = await receiver((socket) => socket.write(OK));
    expect(await client({}, toLoopback, []).send(post(url.replace("http:", "https:")))).toMatchObject({
      kind: "blocked",
      reason: "address_not_allowed",
    });
    expect(sockets).toHaveLength(0);
  });

  it("refuses a name of which one answer is not allowed", async () => {
    const { port, sockets } = await receiver((socket) => socket.write(OK));
    const mixed: ResolveName = () => Promise.resolve(["127.0.0.1", "10.0.0.1"]);
    expect(await client({}, mixed).send(post(`http://mixed.example:${port}/`))).toMatchObject({
      kind: "blocked",
    });
    expect(sockets).toHaveLength(0);
  });

  it("asks once per connection and connects to the checked answer although the name changes", async () => {
    const { port } = await receiver((socket) => socket.end(OK));
    const answers = ["127.0.0.1", "10.0.0.1"];
    const changing: ResolveName = () => Promise.resolve([answers.shift() ?? "10.0.0.2"]);
    const guarded = client({}, changing);
    expect(await guarded.send(post(`http://rebind.example:${port}/`))).toMatchObject({
      kind: "answered",
      status: 200,
    });
    expect(await guarded.send(post(`http://rebind.example:${port}/`))).toMatchObject({ kind: "blocked" });
    expect(answers).toHaveLength(0);
  });

  it("keeps the name in the Host header", async () => {
    let raw = "";
    const { port } = await receiver((socket, _count, request) => {
      raw = request;
      socket.write(OK);
    });
    await client().send(post(`http://hooks.example:${port}/a?b=c`));
    expect(raw).toMatch(/^POST \/a\?b=c HTTP\/1\.1\r\n/);
    expect(raw.toLowerCase()).toContain(`\r\nhost: hooks.example:${port}\r\n`);
  });

  it("refuses plain http to a public address", async () => {
    const result = await client({}, () => Promise.resolve(["8.8.8.8"])).send(post("http://a.example/"));
    expect(result).toMatchObject({ kind: "blocked" });
  });
});

describe("close", () => {
  it("breaks off what is under way", async () => {
    const { url, sockets } = await receiver(() => undefined);
    const guarded = client();
    const sending = guarded.send(post(url));
    await expect.poll(() => sockets.length).toBe(1);
    guarded.close();
    expect(await sending).toMatchObject({ kind: "failed" });
  });
});
