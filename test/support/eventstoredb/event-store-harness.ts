import { randomUUID } from "node:crypto";
import { EventStoreDBClient } from "@eventstore/db-client";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { KnownOrigin, OriginMemory } from "../../../infrastructure/log/eventstoredb/connection.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/log/eventstoredb/event-store.ts";
import type { EventStoreHarness } from "../../contracts/event-store/harness.ts";
import { addForeignEvents } from "./foreign-events.ts";
import { createRecordingLogger } from "./recording-logger.ts";
import { startEventStoreDbServer } from "./server.ts";

const OPERATOR = { credentials: { username: "admin", password: "changeit" } };

/** Of others on the same server: several pages of a read. */
const FOREIGN_EVENTS = 20_000;

/** A log of its own on the protocol server, which dies and comes back as a node that is killed. */
export async function createProtocolServerHarness(): Promise<EventStoreHarness> {
  const server = await startEventStoreDbServer({ commitTimeoutMs: 200 });
  addForeignEvents(server.log, FOREIGN_EVENTS);
  const node = createNodeHarness(server.url, IMPATIENT_MILLIS);
  return {
    ...node,
    async close() {
      await node.close();
      await server.stop();
    },
    database: { stop: async () => server.kill(), start: () => server.start() },
  };
}

/** How long a call to a server that is down is repeated where the server goes down. */
const IMPATIENT_MILLIS = 1_000;
/**
 * Several commit timeouts of a node: so long a duplicate may stay open whose original is in flight (fact 4).
 */
const PATIENT_MILLIS = 30_000;

/** A log of its own (a prefix) on a node that runs already, with the events of others in it. */
export function createNodeHarness(
  url: string,
  budgetMillis = PATIENT_MILLIS,
): EventStoreHarness & Required<Pick<EventStoreHarness, "removeStream">> {
  const prefix = `contract-${randomUUID()}-`;
  const operator = EventStoreDBClient.connectionString(url);
  const stores: EventStore[] = [];
  const origin = rememberedOrigin();
  return {
    open() {
      const options = { url, prefix, attemptTimeoutMillis: 10_000, budgetMillis, origin };
      const store = createEventStoreDbEventStore(createRecordingLogger(), options);
      stores.push(store);
      return store;
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await operator.dispose();
    },
    async removeStream(stream, how) {
      if (how === "delete") await operator.deleteStream(prefix + stream, OPERATOR);
      else await operator.tombstoneStream(prefix + stream, OPERATOR);
    },
  };
}

/** As the processes of an installation share it. */
export function rememberedOrigin(): OriginMemory {
  const known = new Map<string, KnownOrigin>();
  return {
    load: async (prefix) => known.get(prefix) ?? null,
    save: async (prefix, found) => void known.set(prefix, found),
  };
}
