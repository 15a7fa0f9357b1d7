import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createPostgresEventStore } from "../../../infrastructure/log/postgres/event-store.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../../../infrastructure/postgres/migrations/migrate.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import type { EventStoreHarness } from "../../contracts/event-store/harness.ts";

const TEMPLATE = "log_template";

/**
 * A separate cluster, because its cases stop and start it; each harness gets a database with an empty log.
 */
export type PostgresLogCluster = {
  readonly harness: () => Promise<EventStoreHarness>;
  /** Connection options for an empty log. */
  readonly emptyLog: () => Promise<pg.ClientConfig>;
  readonly stop: () => Promise<void>;
};

export async function startPostgresLogCluster(): Promise<PostgresLogCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringfold-log-"));
  chmodSync(dataDir, 0o755); // as root the server runs as another user, who needs access
  const start = () => startEmbeddedPostgres({ dataDir, fsync: false, settings: { max_connections: "100" } });
  let server: EmbeddedPostgres | undefined = await start();
  const { connection } = server;
  await makeTemplate(connection);
  const emptyLog = async (): Promise<pg.ClientConfig> => {
    const database = `log_${randomUUID().replaceAll("-", "")}`;
    await run(connection, `create database ${database} template ${TEMPLATE} strategy file_copy`);
    return { ...connection, database };
  };
  return {
    emptyLog,
    harness: async () =>
      harnessOn(await emptyLog(), {
        stop: async () => {
          await server?.stop();
          server = undefined;
        },
        start: async () => {
          server ??= await start();
        },
      }),
    async stop() {
      await server?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(connection: pg.ClientConfig): Promise<void> {
  await run(connection, `create database ${TEMPLATE}`);
  const pool = new pg.Pool({ ...connection, database: TEMPLATE });
  await migrate(pool);
  await pool.end();
}

function harnessOn(
  connection: pg.ClientConfig,
  database: Required<EventStoreHarness>["database"],
): EventStoreHarness {
  const stores: ReturnType<typeof createPostgresEventStore>[] = [];
  return {
    database,
    open() {
      const store = createPostgresEventStore(silentLogger, { connection });
      stores.push(store);
      return store;
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await database.start();
    },
    slowCommits: () => run(connection, DAWDLE),
    async foreignTransaction() {
      const client = new pg.Client(connection);
      await client.connect();
      await client.query("create table beside (n int)");
      await client.query("begin");
      await client.query("insert into beside values (1)");
      return {
        async end(how) {
          await client.query(how);
          await client.end();
        },
      };
    },
  };
}

/**
 * After its rows are written a transaction takes up to three milliseconds more, some much longer
 * than their successors.
 */
const DAWDLE = `
  create function log.dawdle() returns trigger language plpgsql as $$
  begin perform pg_sleep(random() * 0.003); return null; end $$;
  create trigger dawdle after insert on log.events for each statement execute function log.dawdle();`;

async function run(connection: pg.ClientConfig, statements: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
