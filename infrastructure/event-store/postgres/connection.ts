import pg from "pg";

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

/** Every value comes as the text that PostgreSQL sends: the few that are needed otherwise are parsed where they are read. */
const asText: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** Plans are made once: the best plan of every query here does not depend on its parameters, and a plan made for an empty log must not stay with it. */
const SETTINGS =
  "-c TimeZone=UTC -c DateStyle=ISO -c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

export function openConnections({ connection, readers, timeoutMs }: PostgresLogOptions): LogConnections {
  const config: pg.ClientConfig = {
    ...connection,
    options: [connection.options, SETTINGS].filter(Boolean).join(" "),
    types: asText,
    query_timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...config,
    application_name: "ringfold log reader",
    max: readers ?? DEFAULT_READERS,
  });
  pool.on("error", () => undefined); // an idle connection that was cut: the pool has dropped it, the next query opens another
  return {
    readers: pool,
    async connect(name) {
      const client = new pg.Client({ ...config, application_name: `ringfold log ${name}` });
      client.on("error", () => undefined); // whoever uses it learns of it from its query, or from `end`
      await client.connect();
      return client;
    },
  };
}
