import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import { DatabaseError } from "./database-error.ts";
import { preparingPool } from "./prepared-statements.ts";

export type PoolOptions = {
  /** A connection of the embedded server, or `{ connectionString }`. */
  readonly connection: pg.ClientConfig;
  readonly logger: Logger;
  readonly max?: number;
  /** 0: no limit, for long work (migrations, rebuilds). */
  readonly statementTimeoutMillis?: number;
};

/**
 * A pool whose connections have time limits. A connection that dies while idle is logged and replaced; one in
 * use fails its queries.
 */
export function openPool({ connection, logger, max, statementTimeoutMillis }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: max ?? 20,
    application_name: "ringfold",
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMillis ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  });
  pool.on("error", (error) => {
    logger.warn({ problem: error.message }, "an idle database connection was lost");
  });
  // The pool listens only to idle connections: without this, an error of one in use would end the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      logger.debug({ problem: error.message }, "a database connection was lost");
    });
  });
  return pool;
}

/** A connection for one job; its server may end at any moment. */
export async function withClient(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(connection);
  // An error after the job has no other listener.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Kysely over the same pool; the caller names the tables as a type. The owner ends the pool. `wrap`: for
 * callers that inspect statements.
 */
export function kyselyOn<Tables>(
  pool: pg.Pool,
  wrap: (pool: PostgresPool) => PostgresPool = (same) => same,
): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: wrap(preparingPool(pool)) }) });
}

const OLDEST_MAJOR = 17;

/**
 * Rejects with one clear line when the server is older than the supported versions (17 and 18;
 * newer ones are accepted).
 */
export async function requireSupportedServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ number: string; text: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as text",
  );
  const [row] = rows;
  const major = Math.floor(Number(row?.number) / 10_000);
  if (major >= OLDEST_MAJOR) return;
  throw new DatabaseError(
    `PostgreSQL ${row?.text ?? "?"} is too old: 17 and 18 are tested and supported; docs/operation.md says how to get one`,
  );
}
