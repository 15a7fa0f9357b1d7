import pg from "pg";
import { jsonColumn } from "./rows.ts";

export type PostgresLogOptions = {
  /** As `pg` takes it: host, port, user, … or `connectionString`. */
  readonly connection: pg.ClientConfig;
  /** Connections for reading, opened as they are needed; beside them at most three for appends and wake-ups. */
  readonly readers?: number;
  /** A query that is not answered by then is given up, and with it its connection. */
  readonly timeoutMs?: number;
};

export type LogConnections = {
  readonly readers: pg.Pool;
  /** A connection outside of the pool; its `error` has a listener already. */
  readonly connect: (name: string) => Promise<pg.Client>;
};

const DEFAULT_READERS = 4;
const DEFAULT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * JSON is parsed as its row arrives: of a page that is half there the texts would be copied by each collection of garbage. Every other value comes
 * as the text that PostgreSQL sends; the few that are needed otherwise are parsed where they are read.
 */
const asRead: pg.CustomTypesConfig = {
  getTypeParser: (type: number) =>
    type === pg.types.builtins.JSON ? jsonColumn() : (value: string) => value,
};

/**
 * What the queries here rely on, whatever the server's defaults are: times in UTC; a snapshot for each statement, so that an append sees what was
 * committed while it waited for the lock; plans made once (an append costs a third less), and not for the empty log that a first connection may meet.
 */
const SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO'; set default_transaction_isolation = 'read committed';
  set plan_cache_mode = force_generic_plan; set enable_seqscan = off`;

export function openConnections({ connection, readers, timeoutMs }: PostgresLogOptions): LogConnections {
  const config: pg.ClientConfig = {
    ...connection,
    types: asRead,
    query_timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
  pool.on("error", () => undefined); // an idle connection that was cut: the pool has dropped it, the next query opens another
  return {
    readers: pool,
    async connect(name) {
      const client = new pg.Client({ ...config, application_name: `ringfold log ${name}` });
      client.on("error", () => undefined); // whoever uses it learns of it from its query, or from `end`
      await client.connect();
      await client.query(SETTINGS);
      return client;
    },
  };
}
