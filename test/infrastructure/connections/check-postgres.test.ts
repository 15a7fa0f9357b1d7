import net, { type AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { PostgresSettings } from "../../../contract/connection-settings.ts";
import { checkPostgres } from "../../../infrastructure/connections/check-postgres.ts";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import { postgresOverTcp } from "../../support/postgres-over-tcp.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

const PASSWORD = "a password of ours";

type Asked = Partial<PostgresSettings> & { readonly password?: string };

async function check(
  { password = PASSWORD, ...settings }: Asked,
  cidrs = ["127.0.0.0/8"],
  resolve?: ResolveName,
) {
  const deps = {
    policy: addressPolicy(cidrs),
    resolve: resolve ?? (() => Promise.reject(new Error("no names here"))),
  };
  const whole = { host: "127.0.0.1", port: 1, database: "ringfold", user: "shop", tls: false, ...settings };
  const findings = await checkPostgres(deps, whole, password);
  expect(JSON.stringify(findings)).not.toContain(password);
  return findings.map(({ name, ok }) => `${name} ${ok}`);
}

async function real() {
  const server = await postgresOverTcp();
  open.push(server);
  return { port: server.port, user: server.user, password: server.password };
}

/** A server that answers the first bytes of every connection with these. */
async function answering(write: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => write(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  open.push({
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** An ErrorResponse of the protocol, version 3. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${PASSWORD} is wrong\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}

it("a database that answers is all right", async () => {
  expect(await check(await real())).toEqual(["reachable true", "credentials true", "database true"]);
});

it("a password that the server refuses is named", async () => {
  expect(await check({ ...(await real()), password: PASSWORD })).toEqual([
    "reachable true",
    "credentials false",
  ]);
});

it("a name is resolved and judged, and its address connected to", async () => {
  const host = "db.example";
  expect(await check({ ...(await real()), host }, ["127.0.0.0/8"], async () => ["127.0.0.1"])).toEqual([
    "reachable true",
    "credentials true",
    "database true",
  ]);
  expect(
    await check({ ...(await real()), host }, ["127.0.0.0/8"], async () => ["127.0.0.1", "10.0.0.1"]),
  ).toEqual(["address false"]);
});

it.each([
  ["28P01", ["reachable true", "credentials false"]],
  ["3D000", ["reachable true", "database false"]],
  ["53300", ["reachable false"]],
])("SQLSTATE %s of the server is told in words of ours", async (code, findings) => {
  expect(await check({ port: await answering((socket) => socket.write(refusal(code))) })).toEqual(findings);
});

it("a database that is not there for the user is named", async () => {
  expect(await check({ ...(await real()), database: "none" })).toEqual(["reachable true", "database false"]);
});

it("an address that is not allowed is not connected to", async () => {
  const port = await answering(() => expect.unreachable());
  expect(await check({ port }, [])).toEqual(["address false"]);
});

it("TLS that is asked for is not left out because the server has none", async () => {
  expect(await check({ ...(await real()), tls: true })).toEqual(["reachable false"]);
});

it("a server that says something else without end is left", async () => {
  const port = await answering((socket) => {
    const chunk = Buffer.alloc(64 * 1024, "N");
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", more);
    more();
  });
  expect(await check({ port })).toEqual(["reachable false"]);
});

/** A message of the protocol, version 3. */
function message(kind: string, body: readonly number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(body)]);
}

it.each([
  ["an authentication that is shorter than it says", message("R", [0])],
  ["an error without end", message("E", [83])],
])("%s ends nothing but the check", async (_name, bytes) => {
  expect(await check({ port: await answering((socket) => socket.write(bytes)) })).toEqual([
    "reachable false",
  ]);
});
