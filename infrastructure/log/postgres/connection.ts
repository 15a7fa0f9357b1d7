import pg from "pg";
import { jsonColumn } from "./rows.ts";

export type PostgresLogOptions = {
  /** Options of `pg`: host, port, user, … or `connectionString`. */
  readonly connection: pg.ClientConfig;
  /** Connections for reading, opened when needed; beside them at most three for appends and wake-ups. */
  readonly readers?: number;
  /** A query without an answer by then is given up, together with its connection. */
  readonly timeoutMillis?: number;
};

export type LogConnections = {
  readonly readers: pg.Pool;
  /** A connection outside of the pool, with an `error` listener. */
  readonly connect: (name: string) => Promise<pg.Client>;
};

const DEFAULT_READERS = 4;
const DEFAULT_TIMEOUT_MILLIS = 10_000;
const CONNECT_TIMEOUT_MILLIS = 3_000;

/**
 * JSON is parsed when its row arrives: the texts of a half-read page would be copied by each garbage
 * collection. Every other value stays as PostgreSQL's text; the few that are needed otherwise are parsed
 * where they are used.
 */
const asRead: pg.CustomTypesConfig = {
  getTypeParser: (type: number) =>
    type === pg.types.builtins.JSON ? jsonColumn() : (value: string) => value,
};

/**
 * Settings that the queries rely on, whatever the server's defaults: times in UTC; a snapshot for each
 * statement, so that an append sees what was committed while it waited for the lock; plans made once (an
 * append takes a third less), and not for the empty log of a first connection.
 */
const SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO'; set default_transaction_isolation = 'read committed';
  set plan_cache_mode = force_generic_plan; set enable_seqscan = off`;

export function openConnections({ connection, readers, timeoutMillis }: PostgresLogOptions): LogConnections {
  const config: pg.ClientConfig = {
    ...connection,
    types: asRead,
    query_timeout: timeoutMillis ?? DEFAULT_TIMEOUT_MILLIS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLIS,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...config,
    application_name: "ringfold log reader",
    max: readers ?? DEFAULT_READERS,
    onConnect: async (client) => {
      await client.query(SETTINGS);
    },
  });
  // an idle connection was cut: the pool has dropped it, the next query opens another
  pool.on("error", () => undefined);
  return {
    readers: pool,
    async connect(name) {
      const client = new pg.Client({ ...config, application_name: `ringfold log ${name}` });
      client.on("error", () => undefined); // its user gets the error from the query, or from `end`
      await client.connect();
      await client.query(SETTINGS);
      return client;
    },
  };
}
