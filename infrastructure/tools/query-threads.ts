import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { PostgresSettings } from "../../contract/connection-settings.ts";
import { type PostgresAccess, postgresClientConfig } from "../connections/postgres-client-config.ts";
import type { BoundQuery, FromThread, QueryProblem } from "./query-protocol.ts";
import type { ReadRows } from "./read-only-query.ts";

const LIMITS = { threads: 32, idleMillis: 10_000 };
const THREAD_HEAP_MB = 64;
/** A thread that does not cancel a query within this time is stuck and terminated. */
const STUCK_MILLIS = 1_000;

/** The database of a query, configured by its owner. */
export type PostgresConnection = PostgresSettings & { readonly password: string };

/** PostgreSQL refused the query, or the database was not available. */
export class QueryFailed extends Error {
  override readonly name = "QueryFailed";
  readonly code: string;
  readonly isTooMuch: boolean;

  constructor({ message, code, isTooMuch }: QueryProblem) {
    super(message);
    this.code = code;
    this.isTooMuch = isTooMuch;
  }
}

export type QueryThreads = {
  /** Rejects `AddressNotAllowed`, `QueryFailed`, or at once when `stop` aborts. */
  readonly ask: (connection: PostgresConnection, query: BoundQuery, stop: AbortSignal) => Promise<ReadRows>;
  readonly close: () => Promise<void>;
};

/**
 * Owners' databases, each in its own thread, because `pg` trusts its server: a message that is shorter than
 * its length throws where nobody can catch it, and an endless answer fills the memory. That ends one thread
 * and the queries of one connection. A changed password or address makes another thread. Names are resolved
 * for every query, each address must be allowed, and the socket goes to the checked address.
 */
export function createQueryThreads(access: PostgresAccess, limits = LIMITS): QueryThreads {
  const threads = new Map<string, QueryThread>();
  return {
    ask: async (connection, query, stop) => {
      const { password, ...settings } = connection;
      const config = await postgresClientConfig(access, settings, password);
      stop.throwIfAborted();
      const key = createHash("sha256").update(JSON.stringify(config)).digest("hex");
      const known = threads.get(key);
      if (known !== undefined) return known.ask(query, stop);
      if (threads.size >= limits.threads)
        throw new QueryFailed({ message: "too many databases at once", code: "", isTooMuch: false });
      const thread: QueryThread = startThread(config, limits.idleMillis, () => {
        if (threads.get(key) === thread) threads.delete(key);
      });
      threads.set(key, thread);
      return thread.ask(query, stop);
    },
    close: async () => void (await Promise.all([...threads.values()].map((thread) => thread.end()))),
  };
}

type QueryThread = {
  readonly ask: (query: BoundQuery, stop: AbortSignal) => Promise<ReadRows>;
  readonly end: () => Promise<unknown>;
};

function startThread(config: object, idleMillis: number, onEnded: () => void): QueryThread {
  const worker = new Worker(new URL("./query-thread.ts", import.meta.url), {
    workerData: config,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
  const underWay = new Map<number, (answer: FromThread) => void>();
  let last = 0;
  let idle: NodeJS.Timeout | undefined;
  const end = () => {
    onEnded();
    return worker.terminate();
  };
  const ended = () => {
    onEnded();
    const problem = { message: "the connection broke", code: "", isTooMuch: false };
    for (const [id, answer] of [...underWay]) answer({ id, type: "failed", problem });
  };
  worker.on("error", ended);
  worker.on("exit", ended);
  worker.on("message", (answer: FromThread) => underWay.get(answer.id)?.(answer));
  worker.unref();

  const ask = (query: BoundQuery, stop: AbortSignal): Promise<ReadRows> => {
    clearTimeout(idle);
    const id = ++last;
    const { promise, resolve, reject } = Promise.withResolvers<ReadRows>();
    let stuck: NodeJS.Timeout | undefined;
    const giveUp = () => {
      reject(stop.reason);
      worker.postMessage({ type: "stop", id });
      stuck = setTimeout(end, STUCK_MILLIS).unref();
    };
    underWay.set(id, (answer) => {
      underWay.delete(id);
      clearTimeout(stuck);
      stop.removeEventListener("abort", giveUp);
      if (underWay.size === 0) idle = setTimeout(end, idleMillis).unref();
      if (answer.type === "answered") resolve(answer.rows);
      else reject(new QueryFailed(answer.problem));
    });
    stop.addEventListener("abort", giveUp);
    worker.postMessage({ type: "ask", id, query });
    return promise;
  };
  return { ask, end };
}
