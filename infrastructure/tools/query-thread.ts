import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { lentClient, QueryClient } from "./query-client.ts";
import type { BoundQuery, FromThread, QueryProblem, ToThread } from "./query-protocol.ts";
import { readOnlyQuery, TooMuchData } from "./read-only-query.ts";

/** One owner's database: few connections, open only while they are used. */
const MOST_CONNECTIONS = 2;
const IDLE_MILLIS = 5_000;
/** Includes waiting for a free one. */
const CONNECT_MILLIS = 5_000;

const pool = new pg.Pool({
  ...(workerData as pg.ClientConfig),
  Client: QueryClient,
  max: MOST_CONNECTIONS,
  connectionTimeoutMillis: CONNECT_MILLIS,
  idleTimeoutMillis: IDLE_MILLIS,
});
// Without a listener a broken connection would end the thread.
pool.on("error", () => undefined);
pool.on("connect", (client) => client.on("error", () => undefined));

const stops = new Map<number, AbortController>();

async function carryOut(id: number, query: BoundQuery): Promise<FromThread> {
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const lent = lentClient(await pool.connect());
    return { id, type: "answered", rows: await readOnlyQuery(lent, query, stop.signal) };
  } catch (error) {
    return { id, type: "failed", problem: problemOf(error) };
  } finally {
    stops.delete(id);
  }
}

function problemOf(error: unknown): QueryProblem {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const message = error instanceof Error ? error.message : "";
  return { message, code, isTooMuch: error instanceof TooMuchData };
}

parentPort?.on("message", (message: ToThread) => {
  if (message.type === "stop") stops.get(message.id)?.abort();
  else void carryOut(message.id, message.query).then((answer) => parentPort?.postMessage(answer));
});
