import process from "node:process";
import { afterEach, beforeEach, describe } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { eventStoreContract } from "../../contracts/event-store/event-store-contract.ts";
import type { EventStoreHarness } from "../../contracts/event-store/harness.ts";
import { idempotenceCases } from "../../contracts/event-store/idempotence.ts";
import {
  createNodeHarness,
  createProtocolServerHarness,
} from "../../support/eventstoredb/event-store-harness.ts";
import { addForeignEvents } from "../../support/eventstoredb/foreign-events.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";

const CAPABILITIES = {
  restart: true,
  foreignTransactions: false,
  refusesRepeatedIds: false,
  removedStreams: true,
};

eventStoreContract(
  "EventStoreDB, as the protocol server speaks it",
  createProtocolServerHarness,
  CAPABILITIES,
);

describe("a node that others write to, with the node's own commit timeout", () => {
  let server: EventStoreDbServer;
  let harness: EventStoreHarness;
  let first: EventStore;
  beforeEach(async () => {
    server = await startEventStoreDbServer({ commitDelayMs: 1 });
    addForeignEvents(server.log, 20_000);
    harness = createNodeHarness(server.url);
    first = harness.open();
  });
  afterEach(async () => {
    await harness.close();
    await server.stop();
  });
  idempotenceCases({ harness: () => harness, store: () => first }, { ...CAPABILITIES, restart: false });
});

const node = process.env["TEST_EVENTSTORE_URL"];
if (node !== undefined) {
  eventStoreContract("EventStoreDB, a real node", async () => createNodeHarness(node), {
    ...CAPABILITIES,
    restart: false,
  });
}
