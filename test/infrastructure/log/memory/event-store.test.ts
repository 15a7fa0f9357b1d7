import { systemClock } from "../../../../infrastructure/clock.ts";
import {
  createMemoryDatabase,
  startMemoryDatabase,
  stopMemoryDatabase,
} from "../../../../infrastructure/log/memory/database.ts";
import { createMemoryEventStore } from "../../../../infrastructure/log/memory/event-store.ts";
import { eventStoreContract } from "../../../contracts/event-store/event-store-contract.ts";
import type { EventStoreHarness } from "../../../contracts/event-store/harness.ts";

async function memoryHarness(): Promise<EventStoreHarness> {
  const database = createMemoryDatabase();
  return {
    open: () => createMemoryEventStore(systemClock, database),
    close: async () => stopMemoryDatabase(database),
    database: {
      stop: async () => stopMemoryDatabase(database),
      start: async () => startMemoryDatabase(database),
    },
  };
}

eventStoreContract("memory", memoryHarness, {
  restart: true,
  foreignTransactions: false,
  refusesRepeatedIds: true,
  removedStreams: false,
});
