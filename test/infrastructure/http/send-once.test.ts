import { getEventListeners } from "node:events";
import { afterEach, expect, it } from "vitest";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import { DEFAULT_EXCHANGE_LIMITS } from "../../../infrastructure/http/guarded-http-client.ts";
import { sendOnce } from "../../../infrastructure/http/send-once.ts";
import { onEachRequest, rawReceiver } from "../../support/raw-receiver.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

const loopback: ResolveName = async () => ["127.0.0.1"];
const send = (url: string, signal: AbortSignal, resolve = loopback) =>
  sendOnce(
    { policy: addressPolicy(["127.0.0.0/8"]), resolve, ca: undefined },
    { ...DEFAULT_EXCHANGE_LIMITS, keepAliveMillis: 600_000 },
    { url, method: "POST", headers: {}, body: Buffer.from("{}") },
    signal,
  );

async function receiver(answer: string | null) {
  const requests: string[] = [];
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, (_count, raw) => {
      requests.push(raw);
      if (answer !== null) socket.write(answer);
    }),
  );
  open.push(made);
  return { ...made, requests };
}

it("sends the path with its query, and leaves no socket and no listener behind", async () => {
  const { port, sockets, requests } = await receiver(OK);
  const { signal } = new AbortController();
  const end = await send(`http://127.0.0.1:${port}/a/b?c=d`, signal);
  expect(end).toMatchObject({ kind: "answered", status: 200, complete: true });
  expect(requests[0]).toMatch(/^POST \/a\/b\?c=d HTTP\/1\.1\r\n/);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await expect.poll(() => sockets.map((socket) => socket.destroyed)).toEqual([true]);
});

it("is broken off by an abort, and its socket is closed", async () => {
  const { url, sockets, requests } = await receiver(null);
  const stopping = new AbortController();
  const sending = send(url, stopping.signal);
  await expect.poll(() => requests.length).toBe(1);
  stopping.abort();
  expect(await sending).toMatchObject({ kind: "failed" });
  await expect.poll(() => sockets.map((socket) => socket.destroyed)).toEqual([true]);
});

it("opens no socket when it is broken off before its name is resolved", async () => {
  const { port, sockets } = await receiver(OK);
  const named = `http://shop.example:${port}/`;
  const late = Promise.withResolvers<readonly string[]>();
  const stopping = new AbortController();
  const sending = send(named, stopping.signal, () => late.promise);
  stopping.abort();
  late.resolve(["127.0.0.1"]);
  expect(await sending).toMatchObject({ kind: "failed", remoteAddress: null });
  // Another one, begun after it, gets there: so this one would have got there as well.
  expect(await send(named, new AbortController().signal)).toMatchObject({ kind: "answered" });
  expect(sockets).toHaveLength(1);
});

it.each([
  ["after an abort", "http://127.0.0.1:PORT/", true, "aborted"],
  ["to an address that is not allowed", "http://10.0.0.1:PORT/", false, "address_not_allowed"],
])("sends nothing %s", async (_when, address, aborted, reason) => {
  const { port, sockets } = await receiver(OK);
  const signal = aborted ? AbortSignal.abort() : new AbortController().signal;
  expect(await send(address.replace("PORT", String(port)), signal)).toEqual({
    kind: "blocked",
    reason,
    times: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
    remoteAddress: null,
    reused: false,
  });
  expect(sockets).toEqual([]);
});
