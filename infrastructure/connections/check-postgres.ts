import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type pg from "pg";
import type { ConnectionFinding } from "../../contract/connection-check.ts";
import type { PostgresSettings } from "../../contract/connection-settings.ts";
import { AddressNotAllowed } from "../http/pinned-connector.ts";
import type { Asked } from "./ask-postgres-worker.ts";
import { type PostgresAccess, postgresClientConfig } from "./postgres-client-config.ts";

const CONNECT_MILLIS = 5_000;
const QUERY_MILLIS = 5_000;
const WHOLE_MILLIS = 12_000;
const NOT_CONNECTED: Asked = { connected: false, one: null, code: "" };

/** Connects as a tool's query would, and selects 1. */
export async function checkPostgres(
  deps: PostgresAccess,
  settings: PostgresSettings,
  password: string,
): Promise<readonly ConnectionFinding[]> {
  try {
    const config = await postgresClientConfig(deps, settings, password);
    const limits = {
      connectionTimeoutMillis: CONNECT_MILLIS,
      query_timeout: QUERY_MILLIS,
      statement_timeout: QUERY_MILLIS,
    };
    return findingsOf(await askedInWorker({ ...config, ...limits }), settings.tls);
  } catch (error) {
    const isAddress = error instanceof AddressNotAllowed;
    return isAddress ? [notAllowed(settings.tls)] : findingsOf(NOT_CONNECTED, settings.tls);
  }
}

/**
 * In a thread, because `pg` trusts the server: a message that is shorter than its length throws where nobody
 * can catch it, another kind keeps it reading for ever, and an endless answer fills the memory. All of that
 * ends the thread, not the process.
 */
async function askedInWorker(config: pg.ClientConfig): Promise<Asked> {
  const worker = new Worker(new URL("./ask-postgres-worker.ts", import.meta.url), {
    workerData: config,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  worker.on("error", () => undefined);
  try {
    const [asked] = await Promise.race([
      once(worker, "message", { signal: AbortSignal.timeout(WHOLE_MILLIS) }),
      once(worker, "exit").then(() => [NOT_CONNECTED]),
    ]);
    return asked;
  } catch {
    return NOT_CONNECTED;
  } finally {
    await worker.terminate();
  }
}

function notAllowed(tls: boolean): ConnectionFinding {
  const rule = tls ? "" : "; without TLS it must lie in CONNECTION_ALLOW_CIDRS";
  return { name: "address", ok: false, detail: `The host has an address that is not allowed${rule}` };
}

/** By the codes of the PostgreSQL documentation, appendix A. */
function findingsOf({ connected, one, code }: Asked, tls: boolean): ConnectionFinding[] {
  const reached: ConnectionFinding = { name: "reachable", ok: true, detail: "The server takes connections" };
  if (connected) {
    const ok = one === 1;
    const detail = ok ? "SELECT 1 was answered" : "SELECT 1 was not answered";
    const taken = { name: "credentials", ok: true, detail: "The server takes user and password" } as const;
    return [reached, taken, { name: "database", ok, detail }];
  }
  if (code.startsWith("28"))
    return [reached, { name: "credentials", ok: false, detail: "The server refuses user or password" }];
  if (code === "3D000" || code === "42501")
    return [reached, { name: "database", ok: false, detail: "There is no such database for this user" }];
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    const detail = `The server refuses the connection (SQLSTATE ${code})`;
    return [{ name: "reachable", ok: false, detail }];
  }
  const how = tls ? "with TLS and a certificate that can be verified" : "without TLS";
  return [{ name: "reachable", ok: false, detail: `The server cannot be reached ${how}` }];
}
