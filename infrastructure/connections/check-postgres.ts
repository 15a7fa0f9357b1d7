import net from "node:net";
import pg from "pg";
import type { PostgresSettings } from "../../application/ports/configuration/connections.ts";
import type { ConnectionFinding } from "../../application/ports/connection-checks.ts";
import { AddressNotAllowed } from "../http/pinned-connector.ts";
import { type PostgresWayDeps, postgresClientConfig } from "./postgres-way.ts";

const CONNECT_MILLIS = 5_000;
const QUERY_MILLIS = 5_000;
/** An honest answer to all of it has less than a hundredth. */
const MOST_BYTES = 256 * 1024;
const LOOK_MILLIS = 20;

/** Connects as a query of a tool would, and asks for 1. */
export async function checkPostgres(
  deps: PostgresWayDeps,
  settings: PostgresSettings,
  password: string,
): Promise<readonly ConnectionFinding[]> {
  const socket = new net.Socket();
  const watch = setInterval(() => {
    if (socket.bytesRead > MOST_BYTES) socket.destroy();
  }, LOOK_MILLIS);
  try {
    const way = await postgresClientConfig(deps, settings, password);
    return await askedForOne({
      ...way,
      stream: () => socket,
      connectionTimeoutMillis: CONNECT_MILLIS,
      query_timeout: QUERY_MILLIS,
      statement_timeout: QUERY_MILLIS,
    });
  } catch (error) {
    return findingsOf(error, settings.tls);
  } finally {
    clearInterval(watch);
    socket.destroy();
  }
}

async function askedForOne(config: pg.ClientConfig): Promise<ConnectionFinding[]> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  await client.connect();
  const reached: ConnectionFinding[] = [
    { name: "reachable", ok: true, detail: "The server takes connections" },
    { name: "credentials", ok: true, detail: "The server takes user and password" },
  ];
  try {
    const { rows } = await client.query<{ one: number }>("select 1 as one");
    const ok = rows[0]?.one === 1;
    const detail = ok ? "SELECT 1 was answered" : "SELECT 1 was answered with something else";
    return [...reached, { name: "database", ok, detail }];
  } catch {
    return [...reached, { name: "database", ok: false, detail: "SELECT 1 failed" }];
  }
}

/** By the codes of the PostgreSQL documentation, appendix A. */
function findingsOf(error: unknown, tls: boolean): ConnectionFinding[] {
  if (error instanceof AddressNotAllowed) {
    const rule = tls ? "" : "; without TLS it must lie in CONNECTION_ALLOW_CIDRS";
    return [{ name: "address", ok: false, detail: `The host has an address that is not allowed${rule}` }];
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reached: ConnectionFinding = { name: "reachable", ok: true, detail: "The server takes connections" };
  if (code.startsWith("28"))
    return [reached, { name: "credentials", ok: false, detail: "The server refuses user or password" }];
  if (code === "3D000" || code === "42501")
    return [reached, { name: "database", ok: false, detail: "There is no such database for this user" }];
  if (/^[0-9A-Z]{5}$/.test(code)) {
    const detail = `The server refuses the connection (SQLSTATE ${code})`;
    return [{ name: "reachable", ok: false, detail }];
  }
  const how = tls ? "with TLS and a certificate that can be verified" : "without TLS";
  return [{ name: "reachable", ok: false, detail: `The server cannot be reached ${how}` }];
}
