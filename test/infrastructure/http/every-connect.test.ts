import { afterEach, expect, it } from "vitest";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import {
  type GuardedHttpClient,
  guardedHttpClient,
} from "../../../infrastructure/http/guarded-http-client.ts";
import { onEachRequest, rawReceiver } from "../../support/raw-receiver.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

function client(cidrs: string[], resolve: ResolveName): GuardedHttpClient {
  const made = guardedHttpClient({ policy: addressPolicy(cidrs), resolve, ca: undefined });
  open.push(made);
  return made;
}

async function receiver(connection: "close" | "keep-alive") {
  const requests: string[] = [];
  const made = await rawReceiver((socket) =>
    onEachRequest(socket, (_count, raw) => {
      requests.push(raw);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: ${connection}\r\n\r\nok`);
    }),
  );
  open.push(made);
  return { ...made, requests };
}

const post = (url: string) => ({ url, method: "POST", headers: {}, body: Buffer.from("{}") }) as const;

it("sends nothing when an allowed address leads the socket to one that is not allowed", async () => {
  // Linux connects 0.0.0.0 to loopback: the answer of the name is allowed, what the socket reached is not.
  const { port, sockets, requests } = await receiver("close");
  const resolved = client(["0.0.0.0/32"], () => Promise.resolve(["0.0.0.0"]));
  const result = await resolved.send(post(`http://hook.example:${port}/`));
  expect(result).toMatchObject({ kind: "blocked" });
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  expect(requests).toEqual([]);
});

it("does the same for a literal", async () => {
  const { port } = await receiver("close");
  const literal = client(["0.0.0.0/32"], () => Promise.reject(new Error("no names here")));
  expect(await literal.send(post(`http://0.0.0.0:${port}/`))).toMatchObject({ kind: "blocked" });
});

it("judges the name again at every connect, not only at the first", async () => {
  const { port, sockets } = await receiver("close");
  const answers = [["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "169.254.169.254"]];
  const asked = client(["127.0.0.0/8"], () => Promise.resolve(answers.shift() ?? []));
  const kinds: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    kinds.push((await asked.send(post(`http://hook.example:${port}/`))).kind);
  }
  expect(kinds).toEqual(["answered", "answered", "blocked", "blocked"]);
  expect(sockets).toHaveLength(2);
});

it("judges the URL of every request, though a socket to its origin is open", async () => {
  const { port, sockets } = await receiver("keep-alive");
  const kept = client(["127.0.0.0/8"], () => Promise.resolve(["127.0.0.1"]));
  expect(await kept.send(post(`http://hook.example:${port}/`))).toMatchObject({ kind: "answered" });
  expect(await kept.send(post(`http://user:pass@hook.example:${port}/`))).toMatchObject({ kind: "blocked" });
  expect(sockets).toHaveLength(1);
});
