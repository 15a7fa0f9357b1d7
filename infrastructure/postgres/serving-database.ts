import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded/embedded-postgres.ts";

/** The embedded database of the service. */
export type ServingDatabase = { readonly connection: pg.ClientConfig; readonly stop: () => Promise<void> };

const RESTART_PAUSE_MS = 500;

/** Starts the embedded PostgreSQL of a DATA_DIR, and again whenever it dies by itself, until `stop`. */
export async function openServingDatabase(dataDir: string, logger: Logger): Promise<ServingDatabase> {
  const start = () =>
    startEmbeddedPostgres({ dataDir, log: (level, message, fields) => logger[level](fields, message) });
  let server = await start();
  let stopping = false;
  const guard = async (): Promise<void> => {
    while (!stopping) {
      const { code, signal } = await server.exited;
      if (stopping) return;
      logger.error({ code, signal }, "the embedded PostgreSQL ended by itself and is started again");
      server = (await startAgain(start, logger, () => stopping)) ?? server;
    }
  };
  const guarding = guard();
  return {
    connection: server.connection,
    stop: async () => {
      stopping = true;
      await server.stop();
      await guarding;
    },
  };
}

/** The same folder and the same socket: whoever was connected connects again. null: the service stops meanwhile. */
async function startAgain(
  start: () => Promise<EmbeddedPostgres>,
  logger: Logger,
  stopping: () => boolean,
): Promise<EmbeddedPostgres | null> {
  while (!stopping()) {
    try {
      return await start();
    } catch (error) {
      logger.error({ error: String(error) }, "the embedded PostgreSQL does not start");
      await wait(RESTART_PAUSE_MS);
    }
  }
  return null;
}
