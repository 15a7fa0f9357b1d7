import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import { type Pauses, retryUntilDone } from "../../application/repeating.ts";
import { systemClock } from "../clock.ts";
import { type FirstContent, startEmbeddedPostgres } from "./embedded/embedded-postgres.ts";

/** The embedded database of the service. */
export type ServingDatabase = { readonly connection: pg.ClientConfig; readonly stop: () => Promise<void> };

const PAUSES: Pauses = { first: 500, longest: 500 };

/** Starts the embedded PostgreSQL of a DATA_DIR, and again whenever it dies by itself, until `stop`. */
export async function openServingDatabase(
  dataDir: string,
  content: FirstContent,
  logger: Logger,
): Promise<ServingDatabase> {
  const start = () =>
    startEmbeddedPostgres({
      dataDir,
      content,
      log: (level, message, fields) => logger[level](fields, message),
    });
  let server = await start();
  const stopping = new AbortController();
  const restarting = {
    clock: systemClock,
    pauses: PAUSES,
    signal: stopping.signal,
    onFailure: (error: unknown) =>
      logger.error({ error: String(error) }, "the embedded PostgreSQL does not start"),
  };
  /** The same folder and socket, so clients can connect again. */
  const guard = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { code, signal } = await server.exited;
      if (stopping.signal.aborted) return;
      logger.error({ code, signal }, "the embedded PostgreSQL ended by itself and is started again");
      server = (await retryUntilDone(restarting, start)) ?? server;
    }
  };
  const guarding = guard();
  return {
    connection: server.connection,
    stop: async () => {
      stopping.abort();
      await server.stop();
      await guarding;
      // It may have been started again meanwhile.
      await server.stop();
    },
  };
}
