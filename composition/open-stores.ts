import { join } from "node:path";
import type { Kysely } from "kysely";
import type pg from "pg";
import type { EventCodec } from "../application/ports/event-codec.ts";
import type { EventStore } from "../application/ports/event-store.ts";
import type { LogFields, Logger } from "../application/ports/logger.ts";
import type { SecretBox } from "../application/ports/secret-box.ts";
import {
  createPostgresSubjectKeys,
  type SubjectKeyRing,
} from "../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import type { Config } from "../infrastructure/config.ts";
import { endPool } from "../infrastructure/end-pool.ts";
import { createEventCodec } from "../infrastructure/log/codec.ts";
import type { OriginMemory } from "../infrastructure/log/eventstoredb/connection.ts";
import { createPostgresEventStore } from "../infrastructure/log/postgres/event-store.ts";
import { isRetryableDatabaseError } from "../infrastructure/postgres/database-error.ts";
import { joinOrStartEmbeddedPostgres } from "../infrastructure/postgres/embedded/embedded-postgres.ts";
import { postgresLogOrigins } from "../infrastructure/postgres/log-origins.ts";
import { migrate, tablesOfRelease } from "../infrastructure/postgres/migrations/migrate.ts";
import { kyselyOn, openPool } from "../infrastructure/postgres/pool.ts";
import { openServingDatabase } from "../infrastructure/postgres/serving-database.ts";
import { loadSecretsKey, secretBox } from "../infrastructure/secrets.ts";
import type { ReadSchema } from "../projections/engine/read-schema.ts";

export type OpenDatabase = {
  /** For callers that open their own connections. */
  readonly connection: pg.ClientConfig;
  readonly pool: pg.Pool;
  /** Ends the pool, and the embedded server if this process started it. */
  close(): Promise<void>;
};

export type Stores = {
  readonly database: OpenDatabase;
  /** The pool, with the tables of the read models. */
  readonly readDb: Kysely<ReadSchema>;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  /** Encrypts with SECRETS_KEY. */
  readonly box: SecretBox;
  readonly keys: SubjectKeyRing;
  close(): Promise<void>;
};

/**
 * service: owns the DATA_DIR and migrates the database to this release. tool: works beside a running service
 * of any release, and starts the embedded server itself only if nobody else has; it creates the tables only
 * if there are none yet.
 */
export type Opener = "service" | "tool";

/** Their sources, also for a service that is built. */
const MIGRATIONS = join(import.meta.dirname, "../infrastructure/postgres/migrations");

const TOOL_CONNECTIONS = 10;

/**
 * Opens database (embedded, or DATABASE_URL), migrations, event log and codec from the configuration. Rejects
 * with one clear line.
 */
export async function openStores(config: Config, logger: Logger, opener: Opener): Promise<Stores> {
  const database = await openDatabase(config, logger, opener);
  try {
    const box = boxOf(config);
    const keys = createPostgresSubjectKeys(database.pool, box);
    const eventStore = await openEventStore(config, logger, database);
    return {
      database,
      readDb: kyselyOn<ReadSchema>(database.pool),
      eventStore,
      codec: createEventCodec(keys),
      box,
      keys,
      async close() {
        await eventStore.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function boxOf({ secretsKey, databaseUrl, dataDir }: Config): SecretBox {
  return secretBox(loadSecretsKey(secretsKey, databaseUrl === null ? dataDir : null));
}

export async function openDatabase(config: Config, logger: Logger, opener: Opener): Promise<OpenDatabase> {
  const { connection, stop } = await serverOf(config, logger, opener);
  const limits = opener === "tool" ? { max: TOOL_CONNECTIONS, statementTimeoutMillis: 0 } : {};
  const pool = openPool({ connection, logger, ...limits });
  // An error of a connection in use already fails its query; without a listener it would end
  // the process as well.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const close = async () => {
    await endPool(pool);
    await stop();
  };
  try {
    if (opener === "service") logger.info({ step: "bringing the tables up to date" }, "start");
    if (opener === "service" || (await isEmpty(pool))) await migrate(pool);
    return { connection, pool, close };
  } catch (error) {
    await close();
    throw named(config.databaseUrl, error);
  }
}

/** An external database that is not available is named, without user and password. */
function named(databaseUrl: string | null, error: unknown): unknown {
  if (databaseUrl === null || !isRetryableDatabaseError(error)) return error;
  const { host, pathname } = new URL(databaseUrl);
  return new Error(
    `DATABASE_URL: ${host}${pathname} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** The event log: EventStoreDB with EVENTSTORE_URL, else in the given database. */
export async function openEventStore(
  { eventStoreUrl, eventStorePrefix }: Pick<Config, "eventStoreUrl" | "eventStorePrefix">,
  logger: Logger,
  { connection, pool }: Pick<OpenDatabase, "connection" | "pool">,
): Promise<EventStore> {
  return eventStoreUrl === null
    ? createPostgresEventStore(logger, { connection })
    : openEventStoreDb(eventStoreUrl, eventStorePrefix, logger, postgresLogOrigins(pool, logger));
}

/** Its client is a fifth of all code loaded at a start, so it is loaded only if it is used. */
export async function openEventStoreDb(
  url: string,
  prefix: string,
  logger: Logger,
  origin?: OriginMemory,
): Promise<EventStore> {
  const { createEventStoreDbEventStore } = await import("../infrastructure/log/eventstoredb/event-store.ts");
  return createEventStoreDbEventStore(logger, { url, prefix, ...(origin && { origin }) });
}

async function serverOf(
  { databaseUrl, dataDir }: Config,
  logger: Logger,
  opener: Opener,
): Promise<{ readonly connection: pg.ClientConfig; stop(): Promise<void> }> {
  if (databaseUrl !== null)
    return { connection: { connectionString: databaseUrl }, stop: async () => undefined };
  const content = tablesOfRelease(MIGRATIONS);
  if (opener === "service") return openServingDatabase(dataDir, content, logger);
  const log = (level: "debug" | "info" | "warn" | "error", text: string, fields: LogFields) =>
    logger[level](fields, text);
  return joinOrStartEmbeddedPostgres({ dataDir, content, log });
}

async function isEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    "select to_regclass('migrations.applied') is not null as found",
  );
  return rows[0]?.found !== true;
}
