import type { Logger } from "../application/ports/logger.ts";
import type { SubjectKeys } from "../application/ports/subject-keys.ts";
import { createPostgresSubjectKeys } from "../infrastructure/account/subject-keys/postgres-subject-keys.ts";
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

export type OpenLog = Pick<Stores, "eventStore" | "codec" | "close">;

/**
 * Opens the stores for tools that read the log beside a running service of any release: the log alone
 * (replay), or with the database of the read models (rebuild). For the log alone, with EVENTSTORE_URL,
 * PostgreSQL is used only for the keys, once there is something to decrypt.
 */
export function openForReading(config: Config, logger: Logger, what: "log"): Promise<OpenLog>;
export function openForReading(config: Config, logger: Logger, what: "log and rows"): Promise<Stores>;
export async function openForReading(
  config: Config,
  logger: Logger,
  what: "log" | "log and rows",
): Promise<OpenLog> {
  const { eventStoreUrl, eventStorePrefix } = config;
  if (eventStoreUrl === null || what === "log and rows") return openStores(config, logger, "tool");
  const eventStore = await openEventStoreDb(eventStoreUrl, eventStorePrefix, logger);
  const keys = keysWhenNeeded(config, logger);
  return {
    eventStore,
    codec: createEventCodec(keys),
    async close() {
      await eventStore.close();
      await keys.close();
    },
  };
}

function keysWhenNeeded(config: Config, logger: Logger): SubjectKeys & { close(): Promise<void> } {
  let opened: Promise<OpenDatabase> | null = null;
  return {
    async of(subjects) {
      opened ??= openDatabase(config, logger, "tool");
      return createPostgresSubjectKeys((await opened).pool, boxOf(config)).of(subjects);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
