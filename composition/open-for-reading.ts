import type { StoredAnalysisSettings } from "../application/ports/analyses.ts";
import type { Logger } from "../application/ports/logger.ts";
import type { SubjectKeys } from "../application/ports/subject-keys.ts";
import { createPostgresSubjectKeys } from "../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { createPostgresAnalysisSettings } from "../infrastructure/analyses/postgres-analysis-settings.ts";
import type { Config } from "../infrastructure/config.ts";
import { createEventCodec } from "../infrastructure/log/codec.ts";
import {
  boxOf,
  type OpenDatabase,
  openDatabase,
  openEventStoreDb,
  openStores,
  type Stores,
} from "./open-stores.ts";

export type OpenLog = Pick<Stores, "eventStore" | "codec" | "close"> & {
  readonly analysisSettings: Pick<StoredAnalysisSettings, "read">;
};

/**
 * Opens the stores for tools that read the log beside a running service of any release: the log alone
 * (replay), or with the database of the read models (rebuild). For the log alone, with EVENTSTORE_URL,
 * PostgreSQL is used only once there is something to decrypt, or an analysis to judge.
 */
export function openForReading(config: Config, logger: Logger, what: "log"): Promise<OpenLog>;
export function openForReading(
  config: Config,
  logger: Logger,
  what: "log and rows",
): Promise<Stores & OpenLog>;
export async function openForReading(
  config: Config,
  logger: Logger,
  what: "log" | "log and rows",
): Promise<OpenLog> {
  const { eventStoreUrl, eventStorePrefix } = config;
  if (eventStoreUrl === null || what === "log and rows") {
    const stores = await openStores(config, logger, "tool");
    return { ...stores, analysisSettings: createPostgresAnalysisSettings(stores.database.pool) };
  }
  const eventStore = await openEventStoreDb(eventStoreUrl, eventStorePrefix, logger);
  const database = databaseWhenNeeded(config, logger);
  return {
    eventStore,
    codec: createEventCodec(keysIn(config, database)),
    analysisSettings: {
      read: async (sha256) => createPostgresAnalysisSettings(await database.pool()).read(sha256),
    },
    async close() {
      await eventStore.close();
      await database.close();
    },
  };
}

type LateDatabase = { pool(): Promise<OpenDatabase["pool"]>; close(): Promise<void> };

function databaseWhenNeeded(config: Config, logger: Logger): LateDatabase {
  let opened: Promise<OpenDatabase> | null = null;
  return {
    async pool() {
      opened ??= openDatabase(config, logger, "tool");
      return (await opened).pool;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

function keysIn(config: Config, database: LateDatabase): SubjectKeys {
  return {
    of: async (subjects) => createPostgresSubjectKeys(await database.pool(), boxOf(config)).of(subjects),
  };
}
