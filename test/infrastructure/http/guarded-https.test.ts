import { once } from "node:events";
import https from "node:https";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import {
  type GuardedHttpClient,
  guardedHttpClient,
} from "../../../infrastructure/http/guarded-http-client.ts";
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from "../../support/receiver-certificate.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

function client(ca: string | undefined): GuardedHttpClient {
  const made = guardedHttpClient({
    policy: addressPolicy(["127.0.0.0/8"]),
    resolve: () => Promise.resolve(["127.0.0.1"]),
    ca,
  });
  open.push(made);
  return made;
}

/** Answers its port; remembers the server names it was asked for, and the protocol agreed with each. */
async function secureReceiver(serverNames: unknown[]): Promise<number> {
  const server = https.createServer(
    { cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY, ALPNProtocols: ["h2", "http/1.1"] },
    (request, response) => {
      if (request.url === "/interim") response.writeContinue();
      response.end("ok");
    },
  );
  server.on("secureConnection", (socket: TLSSocket & { servername?: unknown; alpnProtocol?: unknown }) =>
    serverNames.push([socket.servername, socket.alpnProtocol]),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push({ close: () => server.close() });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

const get = (url: string) => ({ url, method: "GET", headers: {}, body: null }) as const;

describe("https through the guarded client", () => {
  it("keeps the name for SNI and for the certificate while the address is pinned", async () => {
    const serverNames: unknown[] = [];
    const port = await secureReceiver(serverNames);
    const result = await client(RECEIVER_CERTIFICATE).send(get(`https://receiver.test:${port}/`));
    expect(result).toMatchObject({ kind: "answered", status: 200, remoteAddress: "127.0.0.1" });
    expect(result.times.tls).not.toBeNull();
    expect(serverNames).toEqual([["receiver.test", "http/1.1"]]);
  });

  it("passes over interim answers that nobody asked for", async () => {
    const port = await secureReceiver([]);
    const result = await client(RECEIVER_CERTIFICATE).send(get(`https://receiver.test:${port}/interim`));
    expect(result).toMatchObject({ kind: "answered", status: 200, complete: true });
  });

  it("refuses a certificate that nobody trusts", async () => {
    const port = await secureReceiver([]);
    const result = await client(undefined).send(get(`https://receiver.test:${port}/`));
    expect(result).toMatchObject({ kind: "failed", phase: "tls", reason: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  });

  it("refuses a certificate of another name", async () => {
    const port = await secureReceiver([]);
    const result = await client(RECEIVER_CERTIFICATE).send(get(`https://other.test:${port}/`));
    expect(result).toMatchObject({ kind: "failed", phase: "tls", reason: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });
});
