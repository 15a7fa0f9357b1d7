import { randomUUID } from "node:crypto";
import { EventStoreDBClient } from "@eventstore/db-client";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/event-store/eventstoredb.ts";
import type { EventStoreHarness } from "../../contracts/event-store/harness.ts";
import { createRecordingLogger } from "./recording-logger.ts";
import { startEventStoreDbServer } from "./server.ts";

const OPERATOR = { credentials: { username: "admin", password: "changeit" } };

/** A log of its own on the protocol server, which dies and comes back as a node that is killed. */
export async function createProtocolServerHarness(): Promise<EventStoreHarness> {
  const server = await startEventStoreDbServer({ commitTimeoutMs: 200 });
  const node = createNodeHarness(server.url);
  return {
    ...node,
    async close() {
      await node.close();
      await server.stop();
    },
    database: { stop: async () => server.kill(), start: () => server.start() },
  };
}

/** A log of its own (a prefix) on a node that runs already. */
export function createNodeHarness(
  url: string,
): EventStoreHarness & Required<Pick<EventStoreHarness, "removeStream">> {
  const prefix = `contract-${randomUUID()}-`;
  const operator = EventStoreDBClient.connectionString(url);
  const stores: EventStore[] = [];
  return {
    open() {
      // Patient with a slow answer, impatient with a server that is down.
      const options = { url, prefix, attemptTimeoutMs: 10_000, budgetMs: 1_000 };
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
